import DefinitionModel

/// Messages about rights that are probably a mistake. A role stands for its users.
extension Problem {
    static func noRights(at range: Range<Int>) -> Problem {
        .warning(
            "no role has any right, so nobody can do anything", at: range,
            help: "write '<credentials><credential role=\"…\" readAllowed=\"ALL\"/></credentials>' "
                + "in a model, and in its fields")
    }

    static func roleWithoutRights(_ role: String, at range: Range<Int>) -> Problem {
        .warning(
            "\(quoted(role)) has no right to any model", at: range,
            help: "give it a credential in a model, or remove the role")
    }

    static func modelNobodyReads(_ model: String, at range: Range<Int>) -> Problem {
        .warning(
            "no role may read records of \(quoted(model))", at: range,
            help: "write 'readAllowed=\"ALL\"' in one of its credentials, or remove the model")
    }

    static func modelNobodyReads(fieldsOf model: String, at range: Range<Int>) -> Problem {
        .warning(
            "no role may read any field of \(quoted(model))", at: range,
            help: "write 'readAllowed=\"ALL\"' in credentials of the fields: whoever may read "
                + "records may not yet read what is in them")
    }

    static func fieldNobodyReads(
        _ field: String, model: String, at range: Range<Int>
    ) -> Problem {
        .warning(
            "no role may read \(quoted(field)) of \(quoted(model))", at: range,
            help: "write 'readAllowed=\"ALL\"' in one of its credentials, or remove the field")
    }

    static func modelNobodyCreates(_ model: String, at range: Range<Int>) -> Problem {
        .warning(
            "no role may create records of \(quoted(model))", at: range,
            help: "write 'createAllowed=\"ALL\"' in one of its credentials: without it, "
                + "only records of an earlier version exist")
    }

    static func nobodyResolves(
        _ model: String, at range: Range<Int>, mode: Range<Int>?
    ) -> Problem {
        .warning(
            "conflicts of \(quoted(model)) stay open until someone resolves them, and no role may",
            at: range,
            help: "write 'resolveConflictAllowed=\"true\"' in one of its credentials, or choose "
                + "another 'conflictMode'",
            related: mode.map { [RelatedRange(range: $0, message: "this keeps conflicts open")] }
                ?? [])
    }
}

/// Messages about rights without the right to read.
extension Problem {
    static func createWithoutRead(
        _ credential: WrittenCredential, does verbs: [String]
    ) -> Problem {
        let role = quoted(credential.role.name)
        let model = quoted(credential.model)
        let message =
            if let field = credential.field {
                "\(role) may give \(quoted(field)) of \(model) a value in a new record, but never "
                    + "read it"
            } else {
                "\(role) may \(listed(verbs)) records of \(model), but read none of them"
            }
        return .warning(
            message, at: credential.range(of: "createAllowed"),
            help: "write 'readAllowed=\"OWN\"', so that it sees what it created",
            related: credential.valueRange(of: "readAllowed").map {
                [RelatedRange(range: $0, message: "it may read none")]
            } ?? [])
    }

    static func updateWithoutRead(_ unseenWrite: UnseenWrite) -> Problem {
        .warning(
            unseenWrite.message, at: unseenWrite.range, help: unseenWrite.help,
            related: unseenWrite.related)
    }

    static func deleteWithoutRead(_ unseenWrite: UnseenWrite) -> Problem {
        .warning(
            unseenWrite.message, at: unseenWrite.range, help: unseenWrite.help,
            related: unseenWrite.related)
    }

    /// `right` is the first role's right to read, of the field or else of the records.
    static func requiredNotReadable(
        _ field: String, model: String, roles: [String], at range: Range<Int>, right: Range<Int>
    ) -> Problem {
        .warning(
            "\(quotedList(roles)) may read records of \(quoted(model)) without the required "
                + "\(quoted(field)); original Mobeelizer clients get a placeholder in it",
            at: range,
            help: "write 'readAllowed' in a credential of the field as for the records, or leave "
                + "'required' out: these clients cannot store a record without it",
            related: [RelatedRange(range: right, message: "this is all that it may read")])
    }

    static func relationToUnreadable(
        _ credential: WrittenCredential, _ rights: WrittenRights, target: String,
        refusal: RelatedRange
    ) -> Problem {
        let verb = rights.verbs == ["read"] ? "read" : "set"
        return .warning(
            "\(quoted(credential.role.name)) may \(verb) \(quoted(credential.field ?? "")) of "
                + "\(quoted(credential.model)), which names a record of \(quoted(target)), but "
                + "read none of those",
            at: rights.range,
            help: "write 'readAllowed=\"OWN\"' or more in a credential of \(quoted(target)), or "
                + "remove the right here",
            related: [refusal])
    }
}

/// Messages about rights that give less than they seem to.
extension Problem {
    static func voidFieldRight(
        _ credential: WrittenCredential, _ rights: WrittenRights, refusal: RelatedRange
    ) -> Problem {
        let has = rights.attributes.count == 1 ? "has" : "have"
        return .warning(
            "\(quotedList(rights.attributes)) of \(quoted(credential.field ?? "")) \(has) "
                + "no effect: \(quoted(credential.role.name)) may not "
                + "\(listed(rights.verbs, by: "or")) records of \(quoted(credential.model))",
            at: rights.range,
            help: "give the role the same right to the model, or remove it here",
            related: rights.others + [refusal])
    }

    static func groupSameAsOwn(
        _ credential: WrittenCredential, _ rights: WrittenRights
    ) -> Problem {
        let creates = rights.verbs.contains("create")
        let others = rights.verbs.filter { $0 != "create" }
        let reasons =
            (creates ? ["a new record is its creator's own"] : [])
            + (others.isEmpty
                ? []
                : [
                    "\(quoted(credential.role.name)) may \(listed(others)) only its own "
                        + "records of \(quoted(credential.model))"
                ])
        return .warning(
            "GROUP reaches no further than OWN in \(quotedList(rights.attributes)): "
                + reasons.joined(separator: ", and "),
            at: rights.range, help: "write 'OWN'", related: rights.others)
    }

    static func reachesNoRecord(
        _ credential: WrittenCredential, _ rights: WrittenRights, creator: WrittenCredential?
    ) -> Problem {
        let reaching = rights.attributes.count == 1 ? "reaches" : "reach"
        return .warning(
            "\(quotedList(rights.attributes)) \(reaching) no record: nobody in the group "
                + "\(quoted(credential.role.group)) may create one of \(quoted(credential.model))",
            at: rights.range,
            help: "OWN and GROUP depend on who created a record: write 'ALL', or let the group "
                + "create some",
            related: rights.others
                + (creator.map {
                    [
                        RelatedRange(
                            range: $0.range(of: "createAllowed"),
                            message: "\(quoted($0.role.name)) may create them")
                    ]
                } ?? []))
    }

    static func resolveWithoutUpdate(_ credential: WrittenCredential) -> Problem {
        .warning(
            "\(quoted(credential.role.name)) may resolve conflicts of \(quoted(credential.model)), "
                + "but not update its records, which takes both",
            at: credential.range(of: "resolveConflictAllowed"),
            help: "write 'updateAllowed=\"ALL\"', or remove 'resolveConflictAllowed'",
            related: credential.valueRange(of: "updateAllowed").map {
                [RelatedRange(range: $0, message: "it may update none")]
            } ?? [])
    }
}

extension UnseenWrite {
    fileprivate var message: String {
        let role = quoted(role)
        let model = quoted(model)
        guard let field else {
            return "\(role) may \(verb) \(level.scope) records of \(model), but read "
                + (read == .none ? "none of them" : "only \(read.scope)")
        }
        return "\(role) may \(verb) \(quoted(field)) in \(level.scope) records of \(model), but "
            + (read == .none ? "read it in none" : "read it only in \(read.scope)")
    }

    fileprivate var help: String {
        "write 'readAllowed=\"\(level.rawValue)\"', or "
            + (read == .none
                ? "remove '\(verb)Allowed'" : "'\(verb)Allowed=\"\(read.rawValue)\"'")
    }

    fileprivate var related: [RelatedRange] {
        readRange.map { range in
            let message = read == .none ? "it may read none" : "this is all that it may read"
            return [RelatedRange(range: range, message: message)]
        } ?? []
    }
}

extension AccessLevel {
    /// The records that a level reaches.
    fileprivate var scope: String {
        switch self {
        case .none: "no"
        case .own: "its own"
        case .group: "its group's"
        case .all: "all"
        }
    }
}

extension WrittenRights {
    /// The range of the first attribute.
    fileprivate var range: Range<Int> { ranges.first ?? 0..<0 }

    fileprivate var others: [RelatedRange] {
        ranges.dropFirst().map { RelatedRange(range: $0, message: "and here") }
    }
}
