import ArgumentParser
import ChangeRules
import Foundation
import SyncEngine
import WholeRecordSync

struct RefusedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refused",
        abstract: "List and remove data of original Mobeelizer clients that was refused.",
        discussion: """
            These clients stop for ever when they are told of a refusal. The server takes in what \
            it can and keeps the rest here, as the client sent it, with the reasons. If a user's \
            list is full, the client is told after all, and stops until there is room.
            """,
        subcommands: [ListRefused.self, SaveRefused.self, RemoveRefused.self])

    /// Opens the database, logs the act if there is one, runs `body` with the store and the
    /// environment, and closes the database.
    static func withList(
        _ options: DatabaseOptions, _ act: ToolAct? = nil, _ target: String = "",
        _ body: (any RefusalStore, EnvironmentID) async throws(StoreError) -> Void
    ) async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        let state = try await database.existingEnvironment(named: settings.environment)
        if let act { try await database.log(act, environment: state.name, target: target) }
        do {
            try await body(database.store, state.id)
        } catch {
            throw ToolFailure(error, database: "\(settings.database)")
        }
        try database.close()
    }
}

struct ListRefused: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the refused data, oldest first.",
        discussion: """
            As JSON, each entry has its data, as the client sent it, and the size and SHA-256 of \
            a file or archive that 'waggle refused save' writes to a file.
            """)

    @Option(help: "How to write it: text for people, json for tools, one object per line.")
    var format: ListUsers.Format = .text

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await RefusedCommand.withList(options) { store, environment throws(StoreError) in
            var last: Int64 = 0
            while true {
                let page = try await store.refusals(in: environment, after: last, limit: 100)
                for entry in page { Terminal.write(try text(of: entry)) }
                guard let end = page.last?.number else { return }
                last = end
            }
        }
    }

    private func text(of entry: StoredRefusal) throws(StoreError) -> String {
        switch format {
        case .text: entry.description + "\n"
        case .json: try ListedRefusal(entry).text + "\n"
        }
    }
}

extension StoredRefusal {
    fileprivate var description: String {
        let causes = refusal.causes.map { CauseDescription($0).message }.joined(separator: "; ")
        let record = [refusal.model, refusal.guid].filter { !$0.isEmpty }.joined(separator: " ")
        let size = refusal.contents.map { " (\($0.size) bytes are kept)" } ?? ""
        return "\(number)  \(at.text)  \(refusal.device.login) on "
            + "\(refusal.device.deviceIdentifier)  \(record.isEmpty ? "no record" : record): "
            + causes + size
    }
}

extension Instant {
    fileprivate var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}

/// An entry as JSON.
private struct ListedRefusal: Encodable {
    struct Reason: Encodable {
        let code: String
        let message: String
        let field: String?
    }

    struct Contents: Encodable {
        let sha256: String
        /// In bytes.
        let size: Int64
    }

    let number: Int64
    let at: Int64
    let login: String
    let deviceIdentifier: String
    let model: String
    let guid: String
    let causes: [Reason]
    /// JSON as text: the data as the client sent it.
    let content: String
    let contents: Contents?

    init(_ entry: StoredRefusal) {
        number = entry.number
        at = entry.at.milliseconds
        login = entry.refusal.device.login
        deviceIdentifier = entry.refusal.device.deviceIdentifier
        model = entry.refusal.model
        guid = entry.refusal.guid
        content = entry.refusal.content
        contents = entry.refusal.contents.map { Contents(sha256: $0.hash.hex, size: $0.size) }
        causes = entry.refusal.causes.map { cause in
            let description = CauseDescription(cause)
            return Reason(
                code: description.code, message: description.message, field: cause.field)
        }
    }

    var text: String {
        get throws(StoreError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            } catch {
                throw .failed("an entry cannot be written as JSON: \(error)")
            }
        }
    }
}

struct RemoveRefused: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove settled entries of the list.")

    @Argument(help: "The numbers of the entries.")
    var numbers: [Int64]

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let numbers = numbers
        let target = numbers.map(String.init).joined(separator: " ")
        try await RefusedCommand.withList(
            options, .removeRefused, target
        ) { store, environment throws(StoreError) in
            let count = try await store.removeRefusals(numbers, in: environment)
            Terminal.printMessage("removed entries: \(count)")
        }
    }
}
