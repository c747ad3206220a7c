import Waggle

/// What this device needs of the example `Permissions` with files.
struct Film: Record {
    static let modelName = "PermissionsEntity"

    let guid: String
    let owner: String
    let group: String
    let isConflicted: Bool

    var title: String
    var poster: FileReference?

    init(title: String) {
        guid = Self.newGuid()
        owner = ""
        group = ""
        isConflicted = false
        self.title = title
    }

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? { nil }

    init(_ values: RecordValues) throws(RecordError) {
        guid = values.guid
        owner = values.owner
        group = values.group
        isConflicted = values.isConflicted
        title = try values.value(of: "title")
        poster = try values.value(of: "poster")
    }

    var values: RecordValues {
        var values = RecordValues(
            model: Self.modelName, guid: guid, owner: owner, group: group,
            isConflicted: isConflicted)
        values.set("title", to: title)
        values.set("poster", to: poster)
        return values
    }
}
