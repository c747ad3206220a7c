import Simulation

@testable import Waggle

/// A record of the yard definition.
struct YardRecord<Name: ModelName>: Record {
    static var modelName: String { Name.text }

    let values: RecordValues

    var guid: String { values.guid }
    var owner: String { values.owner }
    var group: String { values.group }
    var isConflicted: Bool { values.isConflicted }

    init(_ values: RecordValues) { self.values = values }

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? { nil }
}

protocol ModelName: Sendable {
    static var text: String { get }
}

enum SiteName: ModelName {
    static let text = "Site"
}

enum TaskName: ModelName {
    static let text = "Task"
}

extension AppEdit {
    var record: any Record {
        let values = RecordValues(
            model: model, guid: guid, owner: "", group: "", isConflicted: false, fields: fields)
        return model == SiteName.text
            ? YardRecord<SiteName>(values) : YardRecord<TaskName>(values)
    }
}
