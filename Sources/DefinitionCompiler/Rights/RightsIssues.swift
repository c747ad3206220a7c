import DefinitionModel

/// The possible mistakes in the rights of one role, as far as its levels show them.
///
/// Finding them needs neither places nor order, so correct rights cost little. The credentials are
/// visited again for messages only if there are issues.
struct RightsIssues: OptionSet {
    let rawValue: UInt8

    static let createWithoutRead = RightsIssues(rawValue: 1 << 0)
    static let updateWithoutRead = RightsIssues(rawValue: 1 << 1)
    static let deleteWithoutRead = RightsIssues(rawValue: 1 << 2)
    static let resolveWithoutUpdate = RightsIssues(rawValue: 1 << 3)
    static let voidFieldRight = RightsIssues(rawValue: 1 << 4)
    static let groupSameAsOwn = RightsIssues(rawValue: 1 << 5)
    /// The reach depends on who creates records, and the role itself creates none.
    static let maybeReachesNoRecord = RightsIssues(rawValue: 1 << 6)
    static let relationToUnreadable = RightsIssues(rawValue: 1 << 7)

    /// Rights without the right to read.
    static let withoutRead: RightsIssues = [
        .createWithoutRead, .updateWithoutRead, .deleteWithoutRead,
    ]
}

extension RightsIssues {
    /// Issues of the rights on a model's records. A role that cannot read what it creates is
    /// reported once, with all its rights.
    init(of model: ModelCredential) {
        self = []
        if !model.read.reachesSome, model.create.reachesSome {
            insert(.createWithoutRead)
        } else {
            if model.update.isWider(than: model.read) { insert(.updateWithoutRead) }
            if model.delete.isWider(than: model.read) { insert(.deleteWithoutRead) }
        }
        if model.resolvesConflicts, !model.update.reachesSome { insert(.resolveWithoutUpdate) }
        if model.create.isOfGroup { insert(.groupSameAsOwn) }
        if !model.dependingOnOthers.isEmpty { insert(.maybeReachesNoRecord) }
    }

    /// Issues of the rights on a field.
    init(of field: FieldCredential, under model: ModelCredential) {
        self = []
        if field.updateOfSeen(under: model).isWider(than: field.read) {
            insert(.updateWithoutRead)
        } else if !field.read.reachesSome, model.read.reachesSome, field.isCreated(under: model) {
            insert(.createWithoutRead)
        }
        if !field.void(under: model).isEmpty { insert(.voidFieldRight) }
        if !field.byGroupInVain(under: model).isEmpty { insert(.groupSameAsOwn) }
        if !field.dependingOnOthers(under: model).isEmpty { insert(.maybeReachesNoRecord) }
    }
}

extension ModelCredential {
    /// The rights of a role without a credential.
    static let nothing = ModelCredential(
        create: .none, read: .none, update: .none, delete: .none, resolvesConflicts: false,
        place: SourcePlace(line: 1, column: 1))

    /// Whether the credential grants any right.
    var grantsSomething: Bool { !changes.isEmpty || read.reachesSome || resolvesConflicts }

    /// The rights to change existing records.
    var changes: Operations {
        Operations(
            create: create.reachesSome, read: false, update: update.reachesSome,
            delete: delete.reachesSome)
    }

    /// The rights that depend on who created a record, if the role itself creates none.
    var dependingOnOthers: Operations {
        guard !create.reachesSome else { return [] }
        return Operations(
            create: false, read: read.goesByCreator, update: update.goesByCreator,
            delete: delete.goesByCreator)
    }
}

extension FieldCredential {
    func isCreated(under model: ModelCredential) -> Bool {
        create.reachesSome && model.create.reachesSome
    }

    func isRead(under model: ModelCredential) -> Bool {
        read.reachesSome && model.read.reachesSome
    }

    /// Whether the role may read the field or give it a value.
    func isUsed(under model: ModelCredential) -> Bool {
        isRead(under: model) || isCreated(under: model)
    }

    /// The reach of updates among the records that the role may read. Updates of unreadable records
    /// are reported for the model.
    func updateOfSeen(under model: ModelCredential) -> AccessLevel {
        narrower(narrower(model.update, update), model.read)
    }

    /// Rights without the corresponding right on the record.
    func void(under model: ModelCredential) -> Operations {
        Operations(
            create: create.reachesSome && !model.create.reachesSome,
            read: read.reachesSome && !model.read.reachesSome,
            update: update.reachesSome && !model.update.reachesSome)
    }

    /// Rights for the group on records that are limited to the owner.
    func byGroupInVain(under model: ModelCredential) -> Operations {
        Operations(
            create: create.isOfGroup && model.create.reachesSome,
            read: read.isOfGroup && model.read.isOfOwner,
            update: update.isOfGroup && model.update.isOfOwner)
    }

    /// The rights that depend on who created a record, if the role itself creates none. If the
    /// right on the model depends on it too, the issue is reported for the model.
    func dependingOnOthers(under model: ModelCredential) -> Operations {
        guard !model.create.reachesSome else { return [] }
        return Operations(
            create: false, read: read.goesByCreator && model.read.reachesAll,
            update: update.goesByCreator && model.update.reachesAll)
    }
}
