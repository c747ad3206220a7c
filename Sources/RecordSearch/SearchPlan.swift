import AccessPolicy
import DefinitionModel
import SyncEngine

/// The records that must be passed to a search. Passing more only costs time; a record that is
/// not passed is not found.
struct SearchPlan: Hashable, Sendable {
    let scope: SearchScope
    /// Restricts the candidates further than the scope; nil if nothing narrower is known.
    let narrowing: Narrowing?
    /// Where the records come from if there is no narrowing.
    let source: Source

    enum Source: Hashable, Sendable {
        /// Records that are not deleted or have an open conflict, in the order of group, owner,
        /// creation and guid. A walking search continues after a position; nil for other searches
        /// and at the start.
        case scope(after: SearchStart?)
        /// The same records in the order of creation and guid.
        case creations(CreationWalk)
        /// Records of the model that were last changed after a stamp, deleted ones included, in the
        /// order of their last change.
        case changes(after: Instant)
        /// The same for a client that knows a time in place of a cursor, with the records that went
        /// out of its sight and those that look different: see `SearchRun.readPull`.
        case pull(after: Instant)
    }
}

extension SearchPlan {
    /// Whether every record of the scope is to be passed, and none besides.
    var readsWholeScope: Bool {
        switch source {
        case .scope(after: nil): narrowing == nil
        case .scope, .creations, .changes, .pull: false
        }
    }
}

/// The records of one model that the asker may see, by owner and group.
struct SearchScope: Hashable, Sendable {
    let model: String
    private let asker: Asker
    private let relationships: Set<Relationship>

    init(model: String, asker: Asker, relationships: Set<Relationship>) {
        self.model = model
        self.asker = asker
        self.relationships = relationships
    }

    func contains(_ ownership: Ownership) -> Bool {
        relationships.contains(Relationship(of: asker, to: ownership))
    }

    /// Returns the owners whose records are in the scope, for records of the given group; nil if
    /// there are none.
    func owners(inGroup group: String) -> RecordRun.Owners? {
        let isInGroup = asker.group.hasSameBytes(as: group)
        let own = relationships.contains(Relationship(isOwner: true, isInGroup: isInGroup))
        let others = relationships.contains(Relationship(isOwner: false, isInGroup: isInGroup))
        switch (own, others) {
        case (true, true): return .everybody
        case (true, false): return .only(asker.login)
        case (false, true): return .allBut(asker.login)
        case (false, false): return nil
        }
    }
}

/// Lists that contain every record that can match. A record is in them if it has one of the guids,
/// holds one of the unique values, or names one of the targets. A deleted record in conflict may
/// match a unique value of which it is not the registered holder.
struct Narrowing: Hashable, Sendable {
    fileprivate(set) var guids: [String] = []
    fileprivate(set) var values: [UniqueValue] = []
    fileprivate(set) var targets: [String] = []

    fileprivate mutating func add(_ other: Narrowing) {
        guids += other.guids
        values += other.values
        targets += other.targets
    }

    /// Estimated number of records. Many records may name one target.
    fileprivate var cost: Int { guids.count + values.count + targets.count * 1000 }

    /// Whether a record can be in the lists more than once.
    var mayRepeat: Bool { guids.count + values.count + targets.count > 1 }
}

/// A position in the order of group, owner, creation and guid within a model. Texts are compared by
/// bytes.
struct SearchStart: Hashable, Sendable {
    let group: String
    let place: RecordRun.Start
}

/// A walk in the order of creation. A store has that order for each owner, so that the records of
/// several owners are merged.
struct CreationWalk: Hashable, Sendable {
    let start: CreationPosition?
    let maxOwners: Int
}

/// A position in the order of creation and guid. Guids are compared by bytes.
struct CreationPosition: Hashable, Sendable, Comparable {
    let created: Int64
    let guid: String

    init(_ created: Int64, _ guid: String) {
        self.created = created
        self.guid = guid
    }

    static func < (first: CreationPosition, second: CreationPosition) -> Bool {
        first.created == second.created
            ? ByteKey(first.guid) < ByteKey(second.guid) : first.created < second.created
    }
}

// MARK: - Narrowing

/// A narrowing with the part of the condition that it comes from. A record in the lists that does
/// not meet that part, as the asker sees it, is ignored.
struct Narrowed: Hashable, Sendable {
    let lists: Narrowing
    let condition: FilterCondition
}

extension FilterCondition {
    func narrowed(in model: Model, naming: RecordNaming?) -> Narrowed? {
        switch self {
        case .all(let conditions):
            conditions.compactMap { $0.narrowed(in: model, naming: naming) }
                .min { $0.lists.cost < $1.lists.cost }
        case .any(let conditions):
            Narrowed(any: conditions.map { $0.narrowed(in: model, naming: naming) })
        case .compares(let operand, .equal, .value(let value)):
            narrowed(by: operand, to: [value], in: model, naming)
        case .isAmong(let operand, let values):
            narrowed(by: operand, to: values, in: model, naming)
        case .not, .isNull, .compares, .hasPrefix, .isLike, .inside, .isWithin, .computes: nil
        }
    }

    private func narrowed(
        by operand: Operand, to values: Set<FieldValue>, in model: Model, _ naming: RecordNaming?
    ) -> Narrowed? {
        let texts = values.compactMap(\.canonicalText)
            .sorted { ValueOrder(bytesOf: $0, $1) == .before }
        var lists = Narrowing()
        switch (operand.property, operand.relation) {
        case (.guid, nil): lists.guids = texts
        case (.id, nil):
            lists.guids = texts.flatMap { id in
                [id].filter(isGuid) + (naming?.guids(of: id, in: model.name) ?? [])
            }
        case (.guid, _?): lists.targets = texts
        case (.field(let name, let type), nil):
            let isUnique = model.fields.contains { $0.name == name && $0.isUnique }
            guard isUnique || type == .belongsTo else { return nil }
            if isUnique {
                lists.values = texts.map { UniqueValue(model: model.name, field: name, text: $0) }
            } else {
                lists.targets = texts
            }
        case (.field, _?), (.owner, _), (.group, _), (.conflicted, _), (.id, _), (.deleted, _),
            (.createdAt, _), (.changedAt, _), (.distance, _):
            return nil
        }
        return Narrowed(lists: lists, condition: self)
    }
}

extension Narrowed {
    /// Returns nil unless every part is narrowed.
    fileprivate init?(any parts: [Narrowed?]) {
        var lists = Narrowing()
        for part in parts {
            guard let part else { return nil }
            lists.add(part.lists)
        }
        self.init(lists: lists, condition: .any(parts.compactMap { $0?.condition }))
    }
}

// MARK: - Changes

extension FilterCondition {
    /// The latest stamp such that only records changed after it can match; nil if the condition
    /// does not bound the stamps from below.
    var changedAfter: Instant? {
        switch self {
        case .all(let conditions): conditions.compactMap(\.changedAfter).max()
        case .compares(.changedAt, .greater, .value(.date(let milliseconds))):
            Instant(milliseconds: milliseconds)
        case .compares(.changedAt, .greaterOrEqual, .value(.date(let milliseconds))),
            .compares(.changedAt, .equal, .value(.date(let milliseconds))):
            Instant(milliseconds: milliseconds == .min ? .min : milliseconds - 1)
        case .any, .not, .isNull, .compares, .isAmong, .hasPrefix, .isLike, .inside,
            .isWithin, .computes:
            nil
        }
    }
}
