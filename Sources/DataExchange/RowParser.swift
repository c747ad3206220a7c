import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import SyncEngine

/// The format of imported and exported rows.
package enum RowFormat: String, Sendable, CaseIterable {
    /// A file for one model, with a header.
    case csv
    /// A JSON object a line, of any model.
    case jsonl
}

/// Parses the rows of an import, chunk by chunk.
struct RowParser {
    /// A part of the input.
    enum Item: Sendable {
        case row(ImportedRow)
        case problem(RowProblem)
        /// The header is wrong, so that no row can be read.
        case wrongHeader([RowProblem])
    }

    private let definition: Definition
    private let model: Model?
    /// The columns of each model, by its name.
    private let columns: [ByteKey: RowColumns]
    private let options: ImportOptions
    private let naming: RowNaming
    private var csv: CSVReader?
    private var json: JSONRowReader
    private var header: CSVHeader?
    /// The first problem with the header.
    private(set) var headerProblem: RowProblem?

    /// CSV needs a model. JSON rows without one name theirs in `$model`. Throws `SyncError.find` if
    /// no model has the field that identifies records.
    init(_ options: ImportOptions, model: Model?, definition: Definition) throws(SyncError) {
        try options.checkIDField(in: model.map { [$0] } ?? definition.models)
        self.definition = definition
        self.model = model
        self.options = options
        naming = RowNaming(importName: options.name)
        csv = options.format == .csv ? CSVReader(limits: options.limits) : nil
        json = JSONRowReader(limits: options.limits, takesLists: options.source != .waggle)
        columns = Dictionary(
            definition.models.map { (ByteKey($0.name), RowColumns(options.source, of: $0)) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func read(_ chunk: [UInt8]) -> [Item] {
        guard var reader = csv else { return json.read(chunk).map { item(of: $0) } }
        let items = reader.read(chunk)
        csv = reader
        return items.compactMap { item(of: $0) }
    }

    mutating func finish() -> [Item] {
        guard var reader = csv else { return json.finish().map { item(of: $0) } }
        return reader.finish().compactMap { item(of: $0) }
    }
}

// MARK: - CSV

extension ImportRun {
    /// The first problem with the header of a CSV file. Nothing is imported then.
    package var headerProblem: RowProblem? { parser.headerProblem }
}

extension RowParser {
    private mutating func item(of item: CSVItem) -> Item? {
        guard headerProblem == nil else { return nil }
        switch item {
        case .problem(let problem):
            guard header != nil else { return wrongHeader([problem]) }
            return .problem(problem)
        case .row(let line, let cells):
            if let header { return row(cells, line: line, header) }
            guard let model else {
                return wrongHeader([
                    .row(line, "modelMissing", "CSV has rows of one model, name it")
                ])
            }
            let found = CSVHeader(cells, line: line, columns(of: model))
            guard found.problems.isEmpty else { return wrongHeader(found.problems) }
            header = found
            return nil
        }
    }

    private mutating func wrongHeader(_ problems: [RowProblem]) -> Item {
        headerProblem = problems.first
        return .wrongHeader(problems)
    }

    private func row(_ cells: [CSVCell], line: Int, _ header: CSVHeader) -> Item {
        guard cells.count == header.names.count else {
            return .problem(
                .row(
                    line, "columnCount",
                    "the row has \(cells.count) columns, and the header \(header.names.count)"))
        }
        var draft = RowDraft(line: line, columns: header.columns, numbers: header.numbers)
        var content: [UInt8] = []
        for (name, cell) in zip(header.names, cells) {
            let text = cell.text ?? ""
            content += Array("\(name):\(cell.isNull ? "-" : "\(text.utf8.count)"):".utf8)
            content += Array(text.utf8)
            draft.set(name, cell.isNull ? nil : text)
        }
        return finished(draft, content: content)
    }

    private func finished(_ draft: RowDraft, content: [UInt8]) -> Item {
        switch draft.row(content: content, idField: options.idField, naming: naming) {
        case .success(let row): .row(row)
        case .failure(let problem): .problem(problem)
        }
    }
}

// MARK: - JSON

extension RowParser {
    private func item(of item: JSONLineItem) -> Item {
        switch item {
        case .problem(let problem): return .problem(problem)
        case .line(let line, let bytes):
            do throws(RowProblem) {
                return try row(bytes, line: line)
            } catch {
                return .problem(error)
            }
        }
    }

    private func row(_ bytes: [UInt8], line: Int) throws(RowProblem) -> Item {
        let members = try object(bytes, line: line)
        let model = try model(of: members, line: line)
        guard options.source != .parse || model.foreignName != Model.userClass else {
            throw .row(
                line, "userRow",
                "users are more than records: 'waggle user import' adds them with their profiles")
        }
        var draft = RowDraft(line: line, columns: columns(of: model))
        for (name, value) in members { draft.set(name, value, in: definition) }
        return finished(draft, content: bytes)
    }

    /// The profile of a user, of the columns that the model has.
    func profile(of user: UserRow, owner: String, in model: Model) -> Item {
        let columns = columns(of: model)
        var draft = RowDraft(line: user.line, columns: columns)
        for (name, value) in user.profile where columns.takes(name, value) {
            draft.set(name, value, in: definition)
        }
        draft.set("$owner", .string(owner), in: definition)
        return finished(draft, content: Array(JSONValue.object(user.profile).text.utf8))
    }

    private func object(
        _ bytes: [UInt8], line: Int
    ) throws(RowProblem) -> [String: JSONValue] {
        let json: JSONValue
        do {
            json = try parseJSON(bytes)
        } catch DecodingError.dataCorrupted(let context) {
            throw .row(line, "notJSON", "the row is no JSON: \(context.debugDescription)")
        } catch {
            throw .row(line, "notJSON", "the row is no JSON: \(error)")
        }
        guard case .object(let members) = json else {
            throw .row(line, "notJSON", "the row is no object, write one in each line")
        }
        return members
    }

    private func model(
        of members: [String: JSONValue], line: Int
    ) throws(RowProblem) -> Model {
        for member in options.source.modelMembers {
            guard case .string(let name)? = members[member] else { continue }
            guard let named = options.source.model(named: name, in: definition) else {
                throw .row(line, "unknownModel", "there is no model '\(name.shortenedName)'")
            }
            guard model == nil || model?.name.hasSameBytes(as: named.name) == true else {
                throw .row(line, "otherModel", "the row is of '\(name)', which is not imported")
            }
            return named
        }
        guard let model else {
            throw .row(line, "modelMissing", "the row names no model, name it in \"$model\"")
        }
        return model
    }

    private func columns(of model: Model) -> RowColumns {
        columns[ByteKey(model.name)] ?? RowColumns(options.source, of: model)
    }
}
