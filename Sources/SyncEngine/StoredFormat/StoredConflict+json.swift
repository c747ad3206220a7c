package import ChangeRules
import JSON

extension StoredConflict {
    package init(_ conflict: RecordConflict, of guid: String, from device: DeviceKey) {
        self.init(
            guid: guid, revision: conflict.revision, device: device,
            text: Self.text(of: conflict))
    }

    package func conflict() throws(StoreError) -> RecordConflict { try Self.conflict(in: text) }

    /// Reads a stored conflict. Both versions use the same member names. Throws
    /// `StoreError.unreadable` for invalid text.
    static func conflict(in text: String) throws(StoreError) -> RecordConflict {
        let members = try StoredMembers(JSONText.value(text), of: "a stored conflict")
        _ = try StoredFormat.checkVersion(of: members.members)
        return RecordConflict(
            revision: try members.integer("revision"),
            baseRevision: try members.integer("baseRevision"), base: try members.side("base"),
            mine: try members.side("mine"), theirs: try members.side("theirs"),
            isRelated: try members.flag("related"))
    }

    static func text(of conflict: RecordConflict) -> String {
        var members: [String: JSONValue] = [
            "base": conflict.base.stored, "baseRevision": .integer(conflict.baseRevision),
            "mine": conflict.mine.stored, "revision": .integer(conflict.revision),
            "theirs": conflict.theirs.stored, "version": .integer(StoredFormat.version),
        ]
        if conflict.isRelated { members["related"] = .boolean(true) }
        return JSONText.text(of: members)
    }
}

extension RecordConflict {
    /// Whether its stored text has at most so many bytes. Long values are not encoded to find out.
    func fits(in bytes: Int) -> Bool {
        let least = [base, mine, theirs].reduce(0) { $0 + $1.fields.leastBytes }
        return least <= bytes && StoredConflict.text(of: self).utf8.count <= bytes
    }
}

extension StoredMembers {
    fileprivate func side(_ key: String) throws(StoreError) -> RecordConflict.Side {
        let side = try StoredMembers(members[key], of: "a side of a stored conflict")
        return RecordConflict.Side(
            isDeleted: try side.flag("deleted"), fields: try side.object("fields"),
            login: try side.optionalText("login"),
            deviceCategory: try side.optionalText("deviceCategory"),
            at: try side.optionalInteger("at"))
    }
}

extension RecordConflict.Side {
    fileprivate var stored: JSONValue {
        var members: [String: JSONValue] = [
            "deleted": .boolean(isDeleted), "fields": .object(fields),
        ]
        members["login"] = login.map { .string($0) }
        members["deviceCategory"] = deviceCategory.map { .string($0) }
        members["at"] = at.map { .integer($0) }
        return .object(members)
    }
}
