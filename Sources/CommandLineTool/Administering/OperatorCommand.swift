import Administration
import ArgumentParser
import DefinitionModel
import Foundation
import JSON
import SyncEngine

struct OperatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Add, list, change and remove the operators of a database.",
        discussion: """
            Operators administer the environments of a database over HTTP. A viewer looks at \
            environments and versions, a keeper sees and changes all their users and records too, \
            and a designer does everything. Works on the database directly, also while a server \
            is running.
            """,
        subcommands: [
            AddOperator.self, ListOperators.self, SetOperatorPassword.self,
            SetOperatorScope.self, RemoveOperator.self,
        ])

    /// Opens the database, logs the act, and runs `body` with the operators.
    static func changing(
        _ options: LocationOptions, _ act: AdminOperation, _ name: String,
        after: JSONValue? = nil,
        _ body: (OperatorDirectory) async throws(OperatorError) -> Void
    ) async throws {
        try await OpenDatabase.opened(options) { database in
            let former = try await database.calling { store throws(StoreError) in
                try await store.operators().first { $0.name.hasSameBytes(as: name) }
            }
            try await database.log(act, target: name, before: former?.json, after: after)
            do throws(OperatorError) {
                try await body(OperatorDirectory(store: database.store))
            } catch {
                throw ToolFailure(error, database: "\(database.address)")
            }
        }
    }
}

struct AddOperator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an operator.")

    @Argument(help: "The name to sign in with: letters, digits and . _ - @")
    var name: String

    @Option(help: "What the operator may do.")
    var scope: AdminScope = .designer

    @OptionGroup var password: NewPasswordOptions

    @OptionGroup var options: LocationOptions

    func run() async throws {
        let hash = try await password.hash(try await ResolvedSettings(options))
        let added = Operator(name: name, scope: scope, passwordHash: hash, createdAt: .now)
        try await OperatorCommand.changing(
            options, .addOperator, name, after: .object(["scope": .string(scope.rawValue)])
        ) { operators throws(OperatorError) in
            try await operators.add(added, at: .now)
        }
        Terminal.printMessage("added operator '\(name)', a \(scope.rawValue)")
    }
}

struct ListOperators: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators.")

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(options) { database in
            let all = try await database.calling { store throws(StoreError) in
                try await store.operators()
            }
            Terminal.write(
                textTable(
                    [["NAME", "SCOPE", "ADDED"]]
                        + all.map { [$0.name, $0.scope.rawValue, $0.createdAt.iso8601] }))
        }
    }
}

struct SetOperatorPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Give an operator a new password, and end their sessions.")

    @Argument(help: "The operator's name.")
    var name: String

    @OptionGroup var password: NewPasswordOptions

    @OptionGroup var options: LocationOptions

    func run() async throws {
        let hash = try await password.hash(try await ResolvedSettings(options))
        try await OperatorCommand.changing(
            options, .changeOperator, name, after: .object(["password": .boolean(true)])
        ) { operators throws(OperatorError) in
            try await operators.edit(name, scope: nil, passwordHash: hash, at: .now)
        }
        Terminal.printMessage("set the password of '\(name)' and ended their sessions")
    }
}

struct SetOperatorScope: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scope",
        abstract: "Change what an operator may do, and end their sessions and tokens.")

    @Argument(help: "The operator's name.")
    var name: String

    @Argument(help: "What the operator may do.")
    var scope: AdminScope

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OperatorCommand.changing(
            options, .changeOperator, name, after: .object(["scope": .string(scope.rawValue)])
        ) { operators throws(OperatorError) in
            try await operators.edit(name, scope: scope, passwordHash: nil, at: .now)
        }
        Terminal.printMessage("'\(name)' is a \(scope.rawValue) now")
    }
}

struct RemoveOperator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an operator with their sessions and tokens.")

    @Argument(help: "The operator's name.")
    var name: String

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OperatorCommand.changing(options, .removeOperator, name) {
            operators throws(OperatorError) in
            try await operators.remove(name, at: .now)
        }
        Terminal.printMessage("removed '\(name)'")
    }
}

extension AdminScope: ExpressibleByArgument {
    /// The scopes that a person may have.
    package static var allValueStrings: [String] { ofPeople.map(\.rawValue) }

    package init?(argument: String) {
        guard let scope = AdminScope(rawValue: argument), Self.ofPeople.contains(scope) else {
            return nil
        }
        self = scope
    }
}

extension ToolFailure {
    init(_ error: OperatorError, database: String) {
        switch error {
        case .nameIllegal(let name):
            self.init(
                .inputAtFault, "'\(name)' is not a valid name for an operator",
                help: "use 1 to 64 letters, digits and the characters . _ - @")
        case .scopeOfTokens(let scope):
            self.init(.inputAtFault, "no person has the scope '\(scope.rawValue)'")
        case .exists(let name):
            self.init(
                .inputAtFault, "there is an operator '\(name)' already",
                help: "change them with 'waggle operator password' or 'waggle operator scope'")
        case .unknown(let name):
            self.init(
                .inputAtFault, "there is no operator '\(name)'",
                help: "'waggle operator list' lists them")
        case .lastDesigner(let name):
            self.init(
                .inputAtFault, "'\(name)' is the only designer",
                help: "make another operator a designer first")
        case .tooMany:
            self.init(.inputAtFault, "there are too many operators", help: "remove some")
        case .setupClosed: self.init(.inputAtFault, "there is an operator already")
        case .store(let error): self.init(error, database: database)
        }
    }
}
