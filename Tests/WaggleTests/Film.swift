import Waggle

/// As the generator writes it.
struct Film: Record {
    static let modelName = "Film"

    let guid: String
    let owner: String
    let group: String
    let isConflicted: Bool

    var title: String
    var score: Int64?
    var director: Visible<String>
    var studio: Reference<Studio>?
    var shownAt: Instant?

    init(
        guid: String = Self.newGuid(), title: String, score: Int64? = 1,
        director: Visible<String> = nil, studio: Reference<Studio>? = nil
    ) {
        self.guid = guid
        owner = ""
        group = ""
        isConflicted = false
        self.title = title
        self.score = score
        self.director = director
        self.studio = studio
    }

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? {
        switch path {
        case \Self.guid: .guid
        case \Self.owner: .owner
        case \Self.group: .group
        case \Self.isConflicted: .isConflicted
        case \Self.title: .field("title")
        case \Self.score: .field("score")
        case \Self.director: .field("director")
        case \Self.studio: .field("studio")
        case \Self.shownAt: .field("shownAt")
        default: nil
        }
    }

    init(_ values: RecordValues) throws(RecordError) {
        guid = values.guid
        owner = values.owner
        group = values.group
        isConflicted = values.isConflicted
        title = try values.value(of: "title")
        score = try values.value(of: "score")
        director = try values.value(of: "director")
        studio = try values.value(of: "studio")
        shownAt = try values.value(of: "shownAt")
    }

    var values: RecordValues {
        var values = RecordValues(
            model: Self.modelName, guid: guid, owner: owner, group: group,
            isConflicted: isConflicted)
        values.set("title", to: title)
        values.set("score", to: score)
        values.set("director", to: director)
        values.set("studio", to: studio)
        values.set("shownAt", to: shownAt)
        return values
    }
}

struct Studio: Record {
    static let modelName = "Studio"

    let guid: String
    let owner: String
    let group: String
    let isConflicted: Bool

    var name: String

    init(guid: String = Self.newGuid(), name: String) {
        self.guid = guid
        owner = ""
        group = ""
        isConflicted = false
        self.name = name
    }

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? {
        switch path {
        case \Self.guid: .guid
        case \Self.owner: .owner
        case \Self.group: .group
        case \Self.isConflicted: .isConflicted
        case \Self.name: .field("name")
        default: nil
        }
    }

    init(_ values: RecordValues) throws(RecordError) {
        guid = values.guid
        owner = values.owner
        group = values.group
        isConflicted = values.isConflicted
        name = try values.value(of: "name")
    }

    var values: RecordValues {
        var values = RecordValues(
            model: Self.modelName, guid: guid, owner: owner, group: group,
            isConflicted: isConflicted)
        values.set("name", to: name)
        return values
    }

    var films: Query<Film> { Query<Film>().where(\.studio == reference) }
}
