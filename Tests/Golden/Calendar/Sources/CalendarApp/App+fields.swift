import Foundation
import Waggle

/// Text forms of records of any model. Code for a particular model uses its type instead, as the
/// tests show.
extension App {
    func model(_ name: String) throws -> any Record.Type {
        guard let type = Self.models.first(where: { $0.modelName == name }) else {
            throw Mistake("there is no model '\(name)'; 'help' shows them")
        }
        return type
    }

    /// The record whose guid starts with `start`.
    func record<Model: Record>(_ type: Model.Type, _ start: String) async throws -> Model {
        let found = try await database.list(type).filter { $0.guid.hasPrefix(start) }
        guard let record = found.first, found.count == 1 else {
            throw Mistake(
                "\(found.count) records of '\(type.modelName)' begin with '\(start)', not one")
        }
        return record
    }

    /// `3f2a91c0  title=Buy milk  done=false  of anna`
    func description(of record: Waggle.RecordValues) -> String {
        let isOthers = record.owner != database.user?.login
        return
            ([String(record.guid.prefix(8))] + fields(of: record)
            + (isOthers ? ["of \(record.owner)"] : [])
            + (record.isConflicted ? ["in conflict"] : [])).joined(separator: "  ")
    }

    /// `title=Buy milk` and `done=false`.
    func fields(of record: Waggle.RecordValues) -> [String] {
        database.definition.fields(ofModel: record.model).compactMap { field in
            record[field.name] == .hidden
                ? "\(field.name) is hidden"
                : field.text(of: record[field.name]).map { "\(field.name)=\($0)" }
        }
    }

    /// `title=Buy milk done=false`: a value extends to the next `FIELD=`; an empty one is null.
    func setting(
        _ words: ArraySlice<String>, in record: Waggle.RecordValues
    ) async throws -> Waggle.RecordValues {
        let fields = database.definition.fields(ofModel: record.model)
        var record = record
        for (name, text) in try assignments(words) {
            guard let field = fields.first(where: { $0.name == name }) else {
                throw Mistake("'\(record.model)' has no field '\(name)'; 'help' shows them")
            }
            record[name] = text.isEmpty ? .null : try await value(text, of: field)
        }
        return record
    }

    private func assignments(
        _ words: ArraySlice<String>
    ) throws -> [(name: String, text: String)] {
        var all: [(name: String, text: String)] = []
        for word in words {
            if let equals = word.firstIndex(of: "="), equals > word.startIndex {
                all.append((String(word[..<equals]), String(word[equals...].dropFirst())))
            } else if let last = all.indices.last {
                all[last].text += " " + word
            } else {
                throw Mistake("'\(word)' is no value of a field: write FIELD=VALUE")
            }
        }
        return all
    }

    /// A file is given by its path, another record by the start of its guid.
    private func value(
        _ text: String, of field: Waggle.FieldOutline
    ) async throws -> Waggle.StoredField {
        switch field.kind {
        case .text, .integer, .decimal, .boolean, .date:
            return try field.value(writtenAs: text)
        case .belongsTo(let name):
            if let guid = try? field.value(writtenAs: text) { return guid }
            return try await record(model(name), text).guid.stored
        case .file:
            return try await database.attach(URL(filePath: text)).stored
        }
    }
}
