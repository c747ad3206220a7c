import Administration
import ArgumentParser
import EnvironmentCopy
import Foundation
import SyncEngine

struct EraseUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase the data of a person: values, history, conflicts, files, account.",
        discussion: """
            The records that the person owns become tombstones without values, which devices \
            receive. An erasure that was interrupted is completed by repeating it. It is listed: \
            'waggle restore --erasures' applies the list to a backup.
            """)

    @Argument(help: "The login of the person, who need not be a user any more.")
    var login: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        guard let name = Login.normalized(login) else {
            throw ToolFailure(AccountError.loginIllegal(login), database: "\(settings.database)")
        }
        try await database.log(.eraseUser, environment: settings.environment, target: name)
        guard try await database.holdsAnything(of: name, in: settings.environment) else {
            throw ToolFailure(nothingHeldOf: name)
        }
        let erasure = Erasure(login: name, at: .now, author: DeploymentAuthor.tool.name)
        let count = try await database.erase(erasure, in: settings.environment)
        try database.close()
        Terminal.printMessage("erased '\(name)', with \(count) records")
    }
}

struct ListErasures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasures",
        abstract: "List the persons whose data was erased, one object per line.",
        discussion: """
            An environment without erasures has a line too: the list covers it. Environments are \
            known by their lasting instance, so the list also applies to a backup in which an \
            environment has an earlier name.
            """)

    @OptionGroup var place: LocationOptions

    @Option(help: "Only this environment; can be repeated. (default: all of them)")
    var environment: [String] = []

    func run() async throws {
        let settings = try await ResolvedSettings(place)
        let database = try await OpenDatabase(settings.database, creating: false)
        var list = ErasureList()
        let names = environment.isEmpty ? try await database.environmentNames() : environment
        for name in names { try await database.add(name, to: &list) }
        try database.close()
        Terminal.write(list.text)
    }
}

extension ToolFailure {
    /// A mistyped login must not look like an answer to a person.
    init(nothingHeldOf login: String) {
        self.init(
            .inputAtFault, "nothing is held of '\(login)'",
            help: "check the login and the environment; 'waggle user list' lists the users")
    }
}

extension OpenDatabase {
    private func erasures(in environment: EnvironmentID) async throws -> [Erasure] {
        try await calling { store throws(StoreError) in
            try await store.erasures(in: environment)
        }
    }

    /// Adds an environment, and the persons that were erased in it.
    func add(_ environment: String, to list: inout ErasureList) async throws {
        let state = try await existingEnvironment(named: environment)
        let listed = ListedEnvironment(name: environment, instance: state.instance)
        list.add(listed)
        for erasure in try await erasures(in: state.id) { list.add(erasure, in: listed) }
    }

    fileprivate func holdsAnything(of login: String, in environment: String) async throws -> Bool {
        let state = try await existingEnvironment(named: environment)
        do {
            return try await PersonalExport.holdsAnything(of: login, in: state.id, of: store)
        } catch CopyError.source(let error) {
            throw ToolFailure(error, database: "\(address)")
        } catch let error as StoreError {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// Erases a person, and returns the number of records.
    func erase(_ erasure: Erasure, in environment: String) async throws -> Int {
        let engine = try await engine(of: environment)
        do {
            return try await PersonalErasure(engine: engine, store: store).run(erasure, at: .now)
        } catch let error as StoreError {
            throw ToolFailure(error, database: "\(address)")
        } catch let error as SyncError {
            throw ToolFailure(error, database: "\(address)")
        } catch let error as CopyError {
            throw ToolFailure(.machineFailed, "'\(address)' cannot be read: \(error)")
        }
    }

    /// Erases the persons that a list names for an environment; other lines are for others. The
    /// environment was restored as `name`. Returns false if the list does not cover it.
    ///
    /// An erasure that the environment lists itself, or one before it, took effect before the
    /// backup was made, and the login there is that of another person.
    func eraseAgain(
        _ list: ErasureList, in environment: String, named name: String
    ) async throws -> Bool {
        let state = try await existingEnvironment(named: name)
        let listed = ListedEnvironment(name: environment, instance: state.instance)
        guard let erasures = list.erasures(in: listed) else { return false }
        let present = try await self.erasures(in: state.id)
        for erasure in erasures {
            let done = present.first { $0.isOfSamePerson(as: erasure) }
            guard done.map({ $0.at < erasure.at }) ?? true else { continue }
            let count = try await erase(erasure, in: name)
            Terminal.printMessage("erased '\(erasure.login)' again, with \(count) records")
        }
        return true
    }
}
