import ChangeRules
import DefinitionModel
import Hashing
import SyncEngine

/// A row of an import: the values that it gives to one record.
struct ImportedRow: Sendable {
    let line: Int
    /// The size of the row in the file.
    let bytes: Int
    let model: Model
    /// The guid that the row names, or that its id column stands for.
    let guid: String?
    /// The opaque id that the row names: it decides which record it is, whatever the guid.
    let opaqueID: String?
    /// The login of the owner of a new record; nil if the row names none.
    let owner: String?
    let isDeleted: Bool
    /// Fields that the row does not have are not set. Relations by opaque ids are not among them.
    let fields: [String: GivenValue]
    /// The related records that the row names by opaque ids, by field.
    let relatedIDs: [String: RelatedID]
    /// The columns of the fields in a CSV file.
    let columns: [String: Int]
    /// The kinds of values that the row has and an import cannot take.
    let leftOut: Set<LeftOutValue>
    /// A UUID of the content of the row at its line of this import: the id of its change, and the
    /// guid of the record of a row without one.
    let id: String
}

/// A related record, named by the id that clients of other products know.
struct RelatedID: Hashable, Sendable {
    let model: String
    let id: String
}

/// A kind of value in the exports of other services that no import takes.
package enum LeftOutValue: String, Hashable, Sendable, CaseIterable {
    /// Access lists (ACL): rights come from the definition.
    case accessLists
    /// Contents of files.
    case files
    /// Marks of relations, which do not name what they relate.
    case relations
}

/// A row whose opaque ids have been looked up.
struct IdentifiedRow: Sendable {
    let row: ImportedRow
    let guid: String
    /// The opaque id, if it is not the guid.
    let name: String?
    let fields: [String: GivenValue]

    /// Whether the row says which record it means. Otherwise it is that of the row itself.
    var namesRecord: Bool { row.guid != nil || row.opaqueID != nil }
}

/// Derives the ids of rows and the guids of records that an import creates.
struct RowNaming: Sendable {
    private let rows: RecordNaming
    private let records = RecordNaming(key: Array("records".utf8))

    /// The same rows have the same ids in imports with the same name only.
    init(importName: String) {
        rows = RecordNaming(key: Array("rows of \(importName)".utf8))
    }

    func id(ofRow content: [UInt8], line: Int, model: String) -> String? {
        let digest = SHA256.hash(content).map { String($0) }.joined(separator: ".")
        return rows.guid(of: "\(line) \(digest)", in: model)
    }

    /// Returns nil if the value is empty or has more than 255 characters.
    func guid(of value: String, model: String) -> String? {
        records.guid(of: value, in: model)
    }
}
