import Waggle

/// A film of the example `Permissions` with files, as the generator writes it.
struct DeviceFilm: Record {
    static let modelName = "PermissionsEntity"

    let guid: String
    let owner: String
    let group: String
    let isConflicted: Bool

    var title: String
    var director: Visible<String>
    var poster: FileReference?

    init(title: String, director: Visible<String> = nil, poster: FileReference? = nil) {
        guid = Self.newGuid()
        owner = ""
        group = ""
        isConflicted = false
        self.title = title
        self.director = director
        self.poster = poster
    }

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? {
        switch path {
        case \Self.title: .field("title")
        case \Self.director: .field("director")
        case \Self.poster: .field("poster")
        default: nil
        }
    }

    init(_ values: RecordValues) throws(RecordError) {
        guid = values.guid
        owner = values.owner
        group = values.group
        isConflicted = values.isConflicted
        title = try values.value(of: "title")
        director = try values.value(of: "director")
        poster = try values.value(of: "poster")
    }

    var values: RecordValues {
        var values = RecordValues(
            model: Self.modelName, guid: guid, owner: owner, group: group,
            isConflicted: isConflicted)
        values.set("title", to: title)
        values.set("director", to: director)
        values.set("poster", to: poster)
        return values
    }
}
