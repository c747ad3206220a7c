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

/// Exports records as rows that an import takes, in memory of one page. Records with opaque ids are
/// named by them, so that an import elsewhere gives them the same ones.
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
        // Related models come first, so that fewer rows of an import must wait.
        self.models = neededFirst(models.count) { place in
            models[place].fields.compactMap { field in
                guard case .belongsTo(let relation) = field.type else { return nil }
                return models.firstIndex { $0.name.hasSameBytes(as: relation.model) }
            }
        }.map { models[$0] }
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
            query.includesNames = true
            repeat {
                let page = try await engine.find(query, of: model.name, for: caller)
                let names = try await names(relatedTo: page.records, of: model, for: caller)
                try await write(
                    page.found.map { row($0, of: model, naming: names) }.joined())
                count += page.found.count
                query.cursor = page.cursor
            } while query.cursor != nil
        }
    }

    /// The opaque ids of the records to which these refer, by guid.
    private func names(
        relatedTo records: [RecordView], of model: Model, for caller: Caller
    ) async throws(SyncError) -> [String: String] {
        var names: [String: String] = [:]
        for field in model.fields {
            guard case .belongsTo(let relation) = field.type else { continue }
            let guids = Set(records.compactMap { $0.fields?[field.name]?.derivedGuid })
            for some in guids.subtracting(names.keys).sorted().lists(of: engine.limits.filterValues)
            {
                var query = FindQuery(
                    filter: .among(operand: "$guid", some.map { .string($0) }), fields: [],
                    limit: engine.limits.pageRecords)
                query.includesNames = true
                query.includesDeleted = true
                repeat {
                    let page = try await engine.find(query, of: relation.model, for: caller)
                    for found in page.found { names[found.record.guid] = found.name }
                    query.cursor = page.cursor
                } while query.cursor != nil
            }
        }
        return names
    }

    private func row(
        _ found: FoundView, of model: Model, naming names: [String: String]
    ) -> String {
        switch options.format {
        case .csv: csvRow(found, of: model, naming: names)
        case .jsonl: jsonRow(found, of: model, naming: names)
        }
    }

    private func csvHeader(of model: Model) -> String {
        csvLine(["$guid", "$id", "$owner", "$group", "$deleted"] + model.fields.map(\.name))
    }

    private func csvRow(
        _ found: FoundView, of model: Model, naming names: [String: String]
    ) -> String {
        let record = found.record
        let properties: [String?] = [
            record.guid, found.name, record.owner, record.group, String(record.isDeleted),
        ]
        return csvLine(
            properties
                + model.fields.map { field in
                    let value = record.fields?[field.name].flatMap {
                        FieldValue($0, of: field.type.name)
                    }
                    // A column has no other sign of an opaque id than that it is no guid.
                    if case .reference(let guid)? = value, let name = names[guid], !isGuid(name) {
                        return name
                    }
                    return value?.columnText
                })
    }

    private func jsonRow(
        _ found: FoundView, of model: Model, naming names: [String: String]
    ) -> String {
        let record = found.record
        var members = record.fields ?? [:]
        for field in model.fields where field.type.name == .belongsTo {
            guard case .string(let guid)? = members[field.name], let name = names[guid] else {
                continue
            }
            members[field.name] = .object(["$id": .string(name)])
        }
        members["$model"] = .string(model.name)
        members["$guid"] = .string(record.guid)
        members["$id"] = found.name.map { .string($0) }
        members["$owner"] = .string(record.owner)
        members["$group"] = .string(record.group)
        members["$deleted"] = .boolean(record.isDeleted)
        return JSONValue.object(members).text + "\n"
    }
}

extension FoundView {
    /// The opaque id; nil for a record whose guid is its id.
    fileprivate var name: String? { id.hasSameBytes(as: record.guid) ? nil : id }
}

extension JSONValue {
    /// The guid of a related record that may have an opaque id.
    fileprivate var derivedGuid: String? {
        guard case .string(let guid) = self, RecordNaming.mayStandForName(guid) else { return nil }
        return guid
    }
}

extension Array {
    func lists(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
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
