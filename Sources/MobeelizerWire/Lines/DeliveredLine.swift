import ChangeRules
import DefinitionModel
import Foundation
import JSON
import SyncEngine
import VersionTranslation
import WholeRecordSync

/// A line of the `data` entry in an archive for a client.
struct DeliveredLine: Encodable, Hashable {
    enum ConflictState: String, Encodable {
        case none = "NO_IN_CONFLICT"
        /// The client keeps its own values. The line has them: the client for iOS takes the values
        /// of every line.
        case ofThisDevice = "IN_CONFLICT_BECAUSE_OF_YOU"
        /// The client takes these values.
        case ofOthers = "IN_CONFLICT"
    }

    let model: String
    let guid: String
    let owner: String?
    let group: String?
    let conflictState: ConflictState
    let resolveConflict = false
    /// Strings; always contains `s_deleted`. A null is left out: the clients for iOS and Windows
    /// Phone cannot read one, and each client reads an absent field as null. A field that the
    /// reader may not see is present only if it is required, with a placeholder, and so is one that
    /// is not served, with its default or a placeholder.
    let fields: [String: JSONValue]

    private enum CodingKeys: String, CodingKey {
        case model, guid, owner, group, conflictState, resolveConflict, fields
    }

    /// Every member is encoded, if necessary as null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(model, forKey: .model)
        try container.encode(guid, forKey: .guid)
        try container.encode(owner, forKey: .owner)
        try container.encode(group, forKey: .group)
        try container.encode(conflictState, forKey: .conflictState)
        try container.encode(resolveConflict, forKey: .resolveConflict)
        try container.encode(fields, forKey: .fields)
    }
}

extension DeliveredLine {
    /// Nil if the client does not know the model.
    ///
    /// - Parameter files: Guids of files that the client must not be told of, because it has no
    ///   contents of them. A required field names them nevertheless.
    init?(
        _ record: DeliveredRecord, through mapping: SchemaMapping,
        withholding files: Set<String> = []
    ) {
        let view = record.view
        let own = view.isConflicted ? record.ownSide : nil
        guard let model = mapping.model(view.model) else { return nil }
        self.init(
            model: model.clientName, guid: view.guid, owner: view.owner,
            group: view.group,
            conflictState: !view.isConflicted
                ? .none : record.isDisputedHere ? .ofThisDevice : .ofOthers,
            fields: model.fieldsOnWire(
                view.fields.map { model.without(files, in: $0) }?
                    .merging(own?.fields ?? [:]) { _, own in own },
                isDeleted: view.isDeleted && own?.isDeleted ?? true))
    }

    /// A record that the client may no longer see. The original wire can only express this as a
    /// deletion.
    init?(_ dropped: RecordKey, through mapping: SchemaMapping) {
        guard let model = mapping.model(dropped.model) else { return nil }
        self.init(
            model: model.clientName, guid: dropped.guid, owner: nil, group: nil,
            conflictState: .none, fields: model.fieldsOnWire(nil, isDeleted: true))
    }

    /// JSON, terminated by `\n`.
    func bytes() throws -> [UInt8] { try lineBytes(of: self) }
}

func lineBytes(of line: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(line)) + [UInt8(ascii: "\n")]
}

extension ModelMapping {
    /// Null in place of each of these files, unless the client requires one.
    fileprivate func without(
        _ files: Set<String>, in fields: [String: JSONValue]
    ) -> [String: JSONValue] {
        guard !files.isEmpty else { return fields }
        return Dictionary(
            uniqueKeysWithValues: fields.map { name, value in
                let isWithheld =
                    isFile(name) && value.guidOfFile.map(files.contains) ?? false
                    && field(name)?.client.isRequired == false
                return (name, isWithheld ? .null : value)
            })
    }

    /// Uses the client's field names. Nil for a record that the client removes.
    func fieldsOnWire(
        _ fields: [String: JSONValue]?, isDeleted: Bool
    ) -> [String: JSONValue] {
        let known = (fields ?? [:]).compactMap { name, value -> (String, JSONValue)? in
            guard let field = field(name) else { return nil }
            let read = field.clientValue(value)
            // The client's type has no such value: a placeholder is in its place.
            guard read != .null || value == .null || !field.client.isRequired else { return nil }
            return (field.client.name, library.shown(read, of: field.client).onWire)
        }
        let deletion = (RecordLine.deletionField, JSONValue.string(String(isDeleted)))
        let shown = Dictionary(known + [deletion], uniquingKeysWith: { first, _ in first })
        let whole = fields == nil ? shown : shown.merging(substitutes) { shown, _ in shown }
        return whole.filter { $0.value != .null }
    }
}

extension JSONValue {
    /// The guid in the value of a field that holds a file.
    var guidOfFile: String? {
        guard case .object(let file) = self, case .string(let guid)? = file["guid"] else {
            return nil
        }
        return guid
    }
}
