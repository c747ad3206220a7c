import ChangeRules
import DefinitionModel
import JSON

/// A reference from a record to another record or to a file.
package struct RecordLink: Hashable, Sendable {
    /// The guid of the record with the field.
    package let source: String
    /// The guid of the record or file that the field names.
    package let target: String

    package init(source: String, target: String) {
        self.source = source
        self.target = target
    }
}

/// The records and files that a record names.
struct LinkTargets {
    private(set) var records: Set<String> = []
    private(set) var files: Set<String> = []

    init() {}

    init(of model: ModelRules, in fields: [String: JSONValue]) {
        for (name, type) in model.namingFields {
            switch fields[name].flatMap({ FieldValue($0, of: type) }) {
            case .reference(let guid): records.insert(guid)
            case .file(let file): files.insert(file.guid)
            case .text, .integer, .decimal, .boolean, .date, nil: break
            }
        }
    }

    var all: Set<String> { records.union(files) }
}

extension WriteSet {
    /// Adds the links between two states of a record. A file that the record no longer names stays
    /// linked by its history.
    mutating func link(_ guid: String, before: LinkTargets, after: LinkTargets) {
        links += after.all.subtracting(before.all).linked(from: guid)
        namedFiles.formUnion(after.files.subtracting(before.files))
        formerLinks += before.files.subtracting(after.all).linked(from: guid)
        endedLinks += before.records.subtracting(before.files).subtracting(after.all)
            .linked(from: guid)
    }
}

extension Set<String> {
    func linked(from source: String) -> [RecordLink] {
        sorted().map { RecordLink(source: source, target: $0) }
    }
}
