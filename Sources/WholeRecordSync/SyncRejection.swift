package import ChangeRules
import JSON
package import SyncEngine

/// Why a sync delivers nothing.
package enum SyncRejection: Hashable, Sendable {
    /// Some of `records` records were refused, and the list of refusals is full. `first` has some
    /// of the `count` refusals that could not be kept.
    case listFull(records: Int64, count: Int64, first: [UnkeptRefusal])
    /// A sentence for people, as version 1 of the format has it.
    case recorded(String)
}

/// A refusal that could not be kept.
package struct UnkeptRefusal: Hashable, Sendable {
    /// Empty, like the guid, if the data does not tell.
    package let model: String
    package let guid: String
    package let causes: [Cause]

    package init(model: String, guid: String, causes: [Cause]) {
        self.model = model
        self.guid = guid
        self.causes = causes
    }
}

// MARK: - Stored form

extension SyncRejection {
    /// Reads a stored text. Throws `unreadable` if Waggle did not write it.
    package init(text: String) throws(StoreError) {
        // The sentences of version 1 begin with a word.
        guard text.hasPrefix("{") else {
            self = .recorded(text)
            return
        }
        self = try SyncRejection(stored: JSONText.value(text))
    }

    package var text: String { json.text }

    /// Reads a rejection in the progress of a device.
    init(stored json: JSONValue) throws(StoreError) {
        if case .string(let sentence) = json {
            self = .recorded(sentence)
            return
        }
        let members = try StoredMembers(json, of: "a stored rejection")
        try StoredFormat.checkVersion(of: members.members)
        switch try members.text("code") {
        case "recorded": self = .recorded(try members.text("message"))
        case "listFull":
            self = .listFull(
                records: try members.integer("records"), count: try members.integer("count"),
                first: try members.list("first").map { json throws(StoreError) in
                    try UnkeptRefusal(stored: StoredMembers(json, of: "a stored refusal"))
                })
        case let code: throw .unreadable("a stored rejection has the unknown code '\(code)'")
        }
    }

    var json: JSONValue {
        let version = JSONValue.integer(StoredFormat.version)
        return switch self {
        case .recorded(let sentence):
            .object(["code": "recorded", "message": .string(sentence), "version": version])
        case .listFull(let records, let count, let first):
            .object([
                "code": "listFull", "records": .integer(records), "count": .integer(count),
                "first": .array(first.map(\.json)), "version": version,
            ])
        }
    }
}

extension UnkeptRefusal {
    fileprivate init(stored members: StoredMembers) throws(StoreError) {
        self.init(
            model: try members.text("model"), guid: try members.text("guid"),
            causes: try StoredCauses.causes(of: members))
    }

    fileprivate var json: JSONValue {
        .object([
            "model": .string(model), "guid": .string(guid),
            "causes": StoredCauses.json(of: causes),
        ])
    }
}
