import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
package import SyncEngine

/// The records and the manner of an export.
package struct ExportOptions: Hashable, Sendable {
    package var format: RowFormat
    /// CSV has one model.
    package var models: [String]
    /// The login whose records are exported; nil for all.
    package var owner: String?
    /// Whether deleted records are exported too: their guids, without values.
    package var includesDeleted = false
    /// The name of the person who exports.
    package var operatorName = "export"

    package init(format: RowFormat, models: [String]) {
        self.format = format
        self.models = models
    }
}

/// Exports records as rows that an import takes, in memory of one page.
///
/// Records are read page by page. Changes made meanwhile may be in the export or not; with deleted
/// records, a record that is changed meanwhile may be in it twice, the later state last.
package struct ExportRun {
    private let engine: Engine
    private let options: ExportOptions
    private let models: [Model]
    package private(set) var count = 0

    /// Throws `SyncError.find` if the definition has no such model.
    package init(_ options: ExportOptions, from engine: Engine) throws(SyncError) {
        self.engine = engine
        var stored = options
        stored.owner = options.owner.map { Login.normalized($0) ?? $0 }
        self.options = stored
        var models: [Model] = []
        for name in options.models {
            guard let model = engine.rules.model(named: name)?.model else {
                throw .find(.modelUnknown(name))
            }
            models.append(model)
        }
        self.models = models
    }

    /// Passes the text to `write`, page by page. Throws `SyncError`, and errors of `write`.
    package mutating func run(
        writing write: (String) async throws -> Void
    ) async throws {
        let caller = try await engine.operatorCaller(named: options.operatorName, device: "export")
        for model in models {
            if options.format == .csv { try await write(csvHeader(of: model)) }
            var query = FindQuery(
                filter: options.owner.map {
                    QueryFilter.compare(.eq, operand: "$owner", with: .value(.string($0)))
                }, filterText: options.owner ?? "", limit: engine.limits.pageRecords)
            query.includesDeleted = options.includesDeleted
            repeat {
                let page = try await engine.find(query, of: model.name, for: caller)
                try await write(page.records.map { row($0, of: model) }.joined())
                count += page.records.count
                query.cursor = page.cursor
            } while query.cursor != nil
        }
    }

    private func row(_ record: RecordView, of model: Model) -> String {
        switch options.format {
        case .csv: csvRow(record, of: model)
        case .jsonl: jsonRow(record, of: model)
        }
    }

    private func csvHeader(of model: Model) -> String {
        csvLine(["$guid", "$owner", "$group", "$deleted"] + model.fields.map(\.name))
    }

    private func csvRow(_ record: RecordView, of model: Model) -> String {
        let properties: [String?] = [
            record.guid, record.owner, record.group, String(record.isDeleted),
        ]
        return csvLine(
            properties
                + model.fields.map { field in
                    record.fields?[field.name].flatMap { FieldValue($0, of: field.type.name) }?
                        .columnText
                })
    }

    private func jsonRow(_ record: RecordView, of model: Model) -> String {
        var members = record.fields ?? [:]
        members["$model"] = .string(model.name)
        members["$guid"] = .string(record.guid)
        members["$owner"] = .string(record.owner)
        members["$group"] = .string(record.group)
        members["$deleted"] = .boolean(record.isDeleted)
        return JSONValue.object(members).text + "\n"
    }
}

/// A line of CSV with its line end. Nil is null: an empty field without quotes.
func csvLine(_ fields: [String?]) -> String {
    let cells = fields.map { field -> String in
        guard let field else { return "" }
        let needsQuotes =
            field.isEmpty
            || field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            || field.utf8.first == 0x20 || field.utf8.last == 0x20
        return needsQuotes ? quoted(field) : field
    }
    return cells.joined(separator: ",") + "\r\n"
}

/// A quote and a combining mark after it are one character, and two scalars.
private func quoted(_ field: String) -> String {
    let doubled = field.unicodeScalars.replacing(
        "\"".unicodeScalars, with: "\"\"".unicodeScalars)
    return "\"\(String(doubled))\""
}
