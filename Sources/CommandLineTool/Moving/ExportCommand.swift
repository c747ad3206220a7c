import Administration
import ArgumentParser
import DataExchange
import DefinitionModel
import EnvironmentCopy
import FileExchange
import Foundation
import JSON
import SyncEngine
import UserAccounts

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export records as CSV or JSON lines, while servers run.",
        discussion: """
            'waggle import' takes what this command writes.

              waggle export --format csv --model Film --output films.csv
              waggle export --output everything.jsonl
              waggle export --user anna --output anna.jsonl --files anna

            With --user, it exports everything that the environment holds of one person: the \
            account, sessions, devices, records with their history, changes, conflicts and files \
            by name, as JSON lines. It contains no hashes of passwords and tokens, and no push \
            tokens. With --files, the contents of their files are written into a folder, each \
            under the guid of its row, and those of refused data under 'refused-' and the number. \
            After an export that failed, the same command goes on in the same folder: files that \
            are whole are kept, and others written again. A folder with anything else is refused.
            """)

    @Option(help: "Only this model; can be repeated. (default: all models)")
    var model: [String] = []

    @Option(help: "csv, for one model, or jsonl.")
    var format = RowFormat.jsonl

    @Option(help: "Only the records of this owner.")
    var owner: String?

    @Flag(help: "With the guids of deleted records.")
    var withDeleted = false

    @Option(help: "All data about the user with this login.")
    var user: String?

    @Option(
        help: ArgumentHelp(
            "With --user, the folder for the contents of the person's files: a new one, or that "
                + "of an export that failed.",
            valueName: "folder"))
    var files: String?

    @Option(
        name: .shortAndLong,
        help: "The file to write, which must not exist; - is standard output.")
    var output = "-"

    @OptionGroup var options: DatabaseOptions

    func validate() throws {
        guard user == nil || format == .jsonl else {
            throw ValidationError("the data about a --user is JSON lines: leave out --format csv")
        }
        guard files == nil || user != nil else {
            throw ValidationError("--files needs the login of a --user")
        }
        guard files.map({ !Disk.isPath(output, directlyIn: $0) }) ?? true else {
            throw ValidationError("--output must not be in the folder of --files")
        }
    }

    func run() async throws {
        let command = self
        try await endingOnSignals { try await command.export() }
    }

    private func export() async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        let engine = try await database.engine(of: settings.environment)
        try await log(in: database, settings.environment)
        let count: Int
        var contents = ExportedContents()
        do {
            count = try await OutputFile.write(to: output) { file in
                guard let user else { return try await export(of: engine, to: file) }
                return try await export(
                    user, in: settings.environment, of: database, to: file, &contents)
            }
        } catch let error as SyncError {
            throw ToolFailure(error, database: "\(settings.database)")
        } catch let error as StoreError {
            throw ToolFailure(error, database: "\(settings.database)")
        } catch CopyError.source(let error) {
            throw ToolFailure(error, database: "\(settings.database)")
        }
        try database.close()
        Terminal.printMessage("exported \(user == nil ? "records" : "rows"): \(count)")
        if files != nil { try contents.report(of: "\(settings.database)") }
    }

    private func log(in database: OpenDatabase, _ environment: String) async throws {
        if let user {
            try await database.log(.exportUser, environment: environment, target: user)
        } else {
            try await database.log(
                .exportRecords, environment: environment,
                target: model.joined(separator: " "),
                after: .object([
                    "format": .string(format.rawValue), "owner": JSONValue(text: owner),
                ]))
        }
    }

    private func export(of engine: Engine, to file: OutputFile) async throws -> Int {
        let all = engine.rules.definition.models.map(\.name)
        let models = model.isEmpty ? all : model
        guard format != .csv || models.count == 1 else {
            throw ToolFailure(
                .wrongUsage, "a CSV file has records of one model",
                help: "name it with --model, or export JSON lines")
        }
        var options = ExportOptions(format: format, models: models)
        options.owner = owner
        options.includesDeleted = withDeleted
        var run = try ExportRun(options, from: engine)
        try await run.run { text in
            try Task.checkCancellation()
            try file.write(text)
        }
        return run.count
    }

    /// Contents are held before the snapshot is taken, so that no sweep removes any meanwhile.
    private func export(
        _ login: String, in environment: String, of database: OpenDatabase, to file: OutputFile,
        _ contents: inout ExportedContents
    ) async throws -> Int {
        guard let stored = Login.normalized(login) else {
            throw ToolFailure(AccountError.loginIllegal(login), database: "\(database.address)")
        }
        guard let files else {
            return try await rows(of: stored, in: environment, of: database, to: file).count
        }
        let hold = try await database.blobs.holdContents()
        do {
            let export = try await rows(of: stored, in: environment, of: database, to: file)
            try await contents.write(export.files, from: database.blobs, into: files)
            await hold.release()
            return export.count
        } catch {
            await hold.release()
            throw error
        }
    }

    private func rows(
        of login: String, in environment: String, of database: OpenDatabase, to file: OutputFile
    ) async throws -> PersonalExport {
        let snapshot = try await database.store.snapshot()
        var export = PersonalExport(of: login)
        do {
            try await export.run(in: environment, of: snapshot) { text in
                try Task.checkCancellation()
                try file.write(text)
            }
        } catch {
            await snapshot.close()
            throw error
        }
        await snapshot.close()
        guard export.count > 0 else { throw ToolFailure(nothingHeldOf: login) }
        return export
    }
}
