import Simulation

@testable import Waggle

/// A record of any model of a definition that may change.
struct PlayedRecord: Record {
    /// Only its values name a model.
    static let modelName = ""

    let values: RecordValues

    var guid: String { values.guid }
    var owner: String { values.owner }
    var group: String { values.group }
    var isConflicted: Bool { values.isConflicted }

    init(_ values: RecordValues) { self.values = values }

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? { nil }
}

extension AppEdit {
    var record: PlayedRecord {
        PlayedRecord(
            RecordValues(
                model: model, guid: guid, owner: "", group: "", isConflicted: false,
                fields: fields))
    }
}
