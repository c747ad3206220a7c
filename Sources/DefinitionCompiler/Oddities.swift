import DefinitionModel

/// What is odd about the rights of one role, as far as its levels tell.
///
/// Finding them needs no place and no order, so that rights which are as they should be cost
/// little. Only where there are some are the credentials gone through again, for the words.
struct Oddities: OptionSet {
    let rawValue: UInt8

    static let createWithoutRead = Oddities(rawValue: 1 << 0)
    static let updateWithoutRead = Oddities(rawValue: 1 << 1)
    static let deleteWithoutRead = Oddities(rawValue: 1 << 2)
    static let resolveWithoutUpdate = Oddities(rawValue: 1 << 3)
    static let voidFieldRight = Oddities(rawValue: 1 << 4)
    static let groupSameAsOwn = Oddities(rawValue: 1 << 5)
    /// What it reaches depends on who created a record, and the role itself creates none.
    static let maybeReachesNoRecord = Oddities(rawValue: 1 << 6)
    static let relationToUnreadable = Oddities(rawValue: 1 << 7)

    /// What is done blindly.
    static let withoutRead: Oddities = [
        .createWithoutRead, .updateWithoutRead, .deleteWithoutRead,
    ]
}

extension Oddities {
    /// Of the rights to a model's records. Of who creates what they then cannot see, that is said
    /// once, with all that they do.
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

    /// Of the rights to a field.
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
    /// What holds for a role that has no credential.
    static let nothing = ModelCredential(
        create: .none, read: .none, update: .none, delete: .none, resolvesConflicts: false,
        place: SourcePlace(line: 1, column: 1))

    /// Whether it lets anybody do anything.
    var grantsSomething: Bool { !changes.isEmpty || read.reachesSome || resolvesConflicts }

    /// The rights that are given to change what there is.
    var changes: Operations {
        Operations(
            create: create.reachesSome, read: false, update: update.reachesSome,
            delete: delete.reachesSome)
    }

    /// The rights that go by who created a record, when the role itself creates none.
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

    /// Whether somebody comes to see a value or to give one.
    func isUsed(under model: ModelCredential) -> Bool {
        isRead(under: model) || isCreated(under: model)
    }

    /// How far the field can be updated in records that the role may see. Where it may not, that is
    /// said of the model.
    func updateOfSeen(under model: ModelCredential) -> AccessLevel {
        narrower(narrower(model.update, update), model.read)
    }

    /// The rights whose counterpart the role does not have to the record.
    func void(under model: ModelCredential) -> Operations {
        Operations(
            create: create.reachesSome && !model.create.reachesSome,
            read: read.reachesSome && !model.read.reachesSome,
            update: update.reachesSome && !model.update.reachesSome)
    }

    /// The rights for the group in records that are the user's own anyway.
    func byGroupInVain(under model: ModelCredential) -> Operations {
        Operations(
            create: create.isOfGroup && model.create.reachesSome,
            read: read.isOfGroup && model.read.isOfOwner,
            update: update.isOfGroup && model.update.isOfOwner)
    }

    /// The rights that go by who created a record, when the role itself creates none. Where the
    /// model's right does so already, that is said of the model.
    func dependingOnOthers(under model: ModelCredential) -> Operations {
        guard !model.create.reachesSome else { return [] }
        return Operations(
            create: false, read: read.goesByCreator && model.read.reachesAll,
            update: update.goesByCreator && model.update.reachesAll)
    }
}
