import Administration
import ArgumentParser
import DataExchange
import Foundation
import JSON
import Secrets
import SyncEngine

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import records from CSV or JSON lines, while servers run.",
        discussion: """
            A row with $guid or $id sets the fields that it names, of that record or of a \
            new one; a row with neither creates a record. All rows pass the limits of the \
            definition. Errors of a row are reported with its line and field, and the other \
            rows are imported.

              waggle import films.csv --model Film --owner anna --dry-run
              waggle import films.csv --model Film --owner anna
              waggle export --format jsonl | waggle import - --database other.sqlite

            In CSV, an empty field is null, and "" is the empty text. A field without a column \
            keeps its value. An import that was interrupted is completed by repeating it.

            With --from, rows are as the tables of Azure Mobile or the classes of Parse have \
            them. Records keep their ids, so that relations and the caches of devices stay valid:

              waggle import todoitem.csv --from azure --model todoitem --owner anna
              waggle import GameScore.json --from parse --model GameScore --owner anna

            Azure: CSV with a header, JSON lines, or lists as GET /tables answers them. Parse: \
            JSON lines, or {"results":[…]} as GET /classes answers and the dashboard exports.
            """)

    @Argument(help: "The file to import; - is standard input.")
    var file: String

    @Option(help: "waggle, azure or parse: what exported the rows.")
    var from = RowSource.waggle

    @Option(
        help: """
            The model of the rows, or their table or class. JSON lines may name theirs in $model.
            """)
    var model: String?

    @Option(help: "csv or jsonl. (default: jsonl, csv for a file that ends in .csv)")
    var format: RowFormat?

    @Option(help: "The login of the owner of new records whose rows have no $owner.")
    var owner: String?

    @Option(help: "A field whose value identifies the record of a row without $guid and $id.")
    var idField: String?

    @Option(
        help: """
            A name of the import. Rows that took effect are not imported again under the same \
            name, and are under another. (default: the name of the file without its folder; of \
            standard input a new one, which is told)
            """)
    var name: String?

    @Option(help: "The author of the changes, as the history of the records shows it.")
    var by = "import"

    @Flag(help: "Check all rows, and write nothing.")
    var dryRun = false

    @OptionGroup var options: DatabaseOptions

    func validate() throws {
        guard from.exports(rowFormat) else {
            throw ValidationError("Parse exports JSON, not CSV: leave out --format csv.")
        }
    }

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let input = try InputChunks(path: file)
        let manner = importOptions
        let database = try await OpenDatabase(settings.database, creating: false)
        let engine = try await database.engine(of: settings.environment)
        try await database.log(
            .importRecords, environment: settings.environment, target: model ?? "",
            after: .object(["name": .string(manner.name), "dryRun": .boolean(dryRun)]))
        tellNewName(manner.name)
        let progress = Progress(dryRun ? "checked rows" : "imported rows")
        let place = file == "-" ? "standard input" : file
        let summary: ImportSummary
        do {
            var run = try ImportRun(manner, into: engine, at: .now) { problem in
                progress.end()
                Terminal.printMessage(problem.text(in: place))
            }
            while let chunk = try input.next() {
                guard try await run.read(chunk) else { break }
                progress.show(run.summary.rows)
            }
            try await run.finish()
            guard run.headerProblem == nil else { throw ToolFailure.wrongHeader(in: place) }
            summary = run.summary
        } catch let error as SyncError {
            progress.end()
            throw ToolFailure(error, database: "\(settings.database)")
        }
        progress.end()
        try database.close()
        for note in summary.notes { Terminal.printMessage("note: \(note)") }
        Terminal.printMessage(summary.text(isTrial: dryRun))
        guard summary.refused == 0 else {
            throw ToolFailure(
                .inputAtFault, "\(summary.refused) rows were not imported from \(place)",
                help: "correct the rows above, and import again")
        }
    }

    /// A mended file keeps its name, and another file seldom has it. Standard input has none: each
    /// import from it gets a new one.
    private var importName: String {
        givenName ?? (file == "-" ? freshGuid() : URL(filePath: file).lastPathComponent)
    }

    /// Nil for an empty one too, as over HTTP.
    private var givenName: String? { name.flatMap { $0.isEmpty ? nil : $0 } }

    /// Tells the name by which the import can be completed if it is interrupted.
    private func tellNewName(_ newName: String) {
        guard givenName == nil, file == "-", !dryRun else { return }
        Terminal.printMessage("note: to complete this import, repeat it with --name \(newName)")
    }

    private var rowFormat: RowFormat {
        format ?? (file.lowercased().hasSuffix(".csv") ? .csv : .jsonl)
    }

    private var importOptions: ImportOptions {
        var options = ImportOptions(format: rowFormat)
        options.source = from
        options.model = model
        options.owner = owner
        options.idField = idField
        options.name = importName
        options.operatorName = by
        options.isTrial = dryRun
        return options
    }
}

extension RowFormat: ExpressibleByArgument {}
extension RowSource: ExpressibleByArgument {}

extension RowProblem {
    /// `films.csv:12:3: 'score' … (lessThanOrEqualTo)`, with line and column.
    func text(in file: String) -> String {
        "\(file):\(line)\(column.map { ":\($0)" } ?? ""): \(message) (\(code))"
    }
}

extension ImportSummary {
    /// A note for each kind of value that was left out.
    var notes: [String] {
        LeftOutValue.allCases.compactMap { kind in
            leftOut[kind].map { "\(kind.sentence) (rows: \($0))" }
        }
    }

    fileprivate func text(isTrial: Bool) -> String {
        (isTrial ? "would import: " : "imported: ")
            + "\(created) created, \(updated) updated, \(deleted) deleted, "
            + "\(unchanged) unchanged, \(repeated) repeated, \(refused) refused"
    }
}

extension LeftOutValue {
    fileprivate var sentence: String {
        switch self {
        case .accessLists: "access lists (ACL) are not imported: the definition has the rights"
        case .files: "files are not imported: upload their contents, and set them"
        case .relations: "a Relation has no values here: import its pairs into their model"
        }
    }
}

extension ToolFailure {
    fileprivate static func wrongHeader(in place: String) -> ToolFailure {
        ToolFailure(
            .inputAtFault, "nothing was imported from \(place)", help: "correct the header")
    }
}
