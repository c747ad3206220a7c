import ChangeRules
import DefinitionModel
import JSON

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
    private let options: ImportOptions
    private let naming: RowNaming
    private var csv: CSVReader?
    private var lines: JSONLineReader
    private var header: CSVHeader?
    private var isHeaderWrong = false

    /// CSV needs a model. JSON lines without one name theirs in `$model`.
    init(_ options: ImportOptions, model: Model?, definition: Definition) {
        self.definition = definition
        self.model = model
        self.options = options
        naming = RowNaming(importName: options.name)
        csv = options.format == .csv ? CSVReader(limits: options.limits) : nil
        lines = JSONLineReader(limits: options.limits)
    }

    mutating func read(_ chunk: [UInt8]) -> [Item] {
        guard var reader = csv else { return lines.read(chunk).map { item(of: $0) } }
        let items = reader.read(chunk)
        csv = reader
        return items.compactMap { item(of: $0) }
    }

    mutating func finish() -> [Item] {
        guard var reader = csv else { return lines.finish().map { item(of: $0) } }
        return reader.finish().compactMap { item(of: $0) }
    }
}

// MARK: - CSV

extension RowParser {
    private mutating func item(of item: CSVItem) -> Item? {
        guard !isHeaderWrong else { return nil }
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
            let found = CSVHeader(cells, line: line, of: model)
            guard found.problems.isEmpty else { return wrongHeader(found.problems) }
            header = found
            return nil
        }
    }

    private mutating func wrongHeader(_ problems: [RowProblem]) -> Item {
        isHeaderWrong = true
        return .wrongHeader(problems)
    }

    private func row(_ cells: [CSVCell], line: Int, _ header: CSVHeader) -> Item {
        guard cells.count == header.names.count else {
            return .problem(
                .row(
                    line, "columnCount",
                    "the row has \(cells.count) columns, and the header \(header.names.count)"))
        }
        var draft = RowDraft(line: line, model: header.model, columns: header.columns)
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

// MARK: - JSON lines

extension RowParser {
    private func item(of item: JSONLineItem) -> Item {
        switch item {
        case .problem(let problem): .problem(problem)
        case .line(let line, let bytes): row(bytes, line: line)
        }
    }

    private func row(_ bytes: [UInt8], line: Int) -> Item {
        let json: JSONValue
        do {
            json = try parseJSON(bytes)
        } catch DecodingError.dataCorrupted(let context) {
            return .problem(
                .row(line, "notJSON", "the line is no JSON: \(context.debugDescription)"))
        } catch {
            return .problem(.row(line, "notJSON", "the line is no JSON: \(error)"))
        }
        guard case .object(let members) = json else {
            return .problem(.row(line, "notJSON", "the line is no object, write one in each line"))
        }
        var model = self.model
        if case .string(let name) = members["$model"] {
            guard let named = definition.models.first(where: { $0.name.hasSameBytes(as: name) })
            else {
                return .problem(
                    .row(line, "unknownModel", "there is no model '\(name.shortenedName)'"))
            }
            guard model == nil || model?.name.hasSameBytes(as: name) == true else {
                return .problem(
                    .row(line, "otherModel", "the row is of '\(name)', which is not imported"))
            }
            model = named
        }
        guard let model else {
            return .problem(
                .row(line, "modelMissing", "the row names no model, name it in \"$model\""))
        }
        var draft = RowDraft(line: line, model: model, columns: [:])
        for (name, value) in members { draft.set(name, value) }
        return finished(draft, content: bytes)
    }
}
