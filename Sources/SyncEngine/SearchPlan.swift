import AccessPolicy
import DefinitionModel

/// Which records a store has to give to a search. More do no harm, other than that they take time;
/// one that is missing is not found.
package struct SearchPlan: Hashable, Sendable {
    package let environment: EnvironmentID
    package let scope: SearchScope
    /// What those that can match have in common; nil where nothing better is known than the scope.
    package let narrowing: Narrowing?
    /// Where to go on, for a search that walks.
    package let start: SearchStart?
}

/// Records of one model, by whose they are.
package struct SearchScope: Hashable, Sendable {
    package let model: String
    private let asker: Asker
    private let standings: Set<Standing>

    init(model: String, asker: Asker, standings: Set<Standing>) {
        self.model = model
        self.asker = asker
        self.standings = standings
    }

    func contains(_ ownership: Ownership) -> Bool {
        standings.contains(Standing(of: asker, to: ownership))
    }

    /// Those of a group's records that are in the scope.
    package enum Owners: Hashable, Sendable {
        case nobody
        case only(String)
        case allBut(String)
        case everybody
    }

    /// Which of the records that have this group.
    package func owners(inGroup group: String) -> Owners {
        let isInGroup = asker.group.hasSameBytes(as: group)
        let own = standings.contains(Standing(isOwner: true, isInGroup: isInGroup))
        let others = standings.contains(Standing(isOwner: false, isInGroup: isInGroup))
        switch (own, others) {
        case (true, true): return .everybody
        case (true, false): return .only(asker.login)
        case (false, true): return .allBut(asker.login)
        case (false, false): return .nobody
        }
    }
}

/// Lists of which a record is in one if it can match: it has one of these guids, or it holds one of
/// these unique values (a record that is deleted and disputed may, though it is not noted as their
/// holder), or it names one of these targets.
package struct Narrowing: Hashable, Sendable {
    package fileprivate(set) var guids: [String] = []
    package fileprivate(set) var values: [UniqueValue] = []
    package fileprivate(set) var targets: [String] = []

    fileprivate mutating func add(_ other: Narrowing) {
        guids += other.guids
        values += other.values
        targets += other.targets
    }

    /// A guess at how many records there are behind it: many may name one target.
    fileprivate var cost: Int { guids.count + values.count + targets.count * 1000 }

    /// Whether a record can be in the lists twice.
    var mayRepeat: Bool { guids.count + values.count + targets.count > 1 }
}

/// The place of a record among those of its model by group, owner, creation and guid; texts are
/// compared by bytes.
package struct SearchStart: Hashable, Sendable {
    package let group: String
    package let owner: String
    package let created: Int64
    package let guid: String
}

// MARK: - What a condition needs

/// A narrowing with the part of a condition that it comes from: whoever is in the lists and does
/// not meet that part, in the asker's eyes, was looked at for nothing.
struct Narrowed: Hashable, Sendable {
    let lists: Narrowing
    let condition: Condition
}

extension Condition {
    func narrowed(in model: Model) -> Narrowed? {
        switch self {
        case .all(let conditions):
            conditions.compactMap { $0.narrowed(in: model) }
                .min { $0.lists.cost < $1.lists.cost }
        case .any(let conditions): Narrowed(any: conditions.map { $0.narrowed(in: model) })
        case .compares(let operand, .equal, .value(let value)):
            narrowed(by: operand, to: [value], in: model)
        case .isAmong(let operand, let values): narrowed(by: operand, to: values, in: model)
        case .not, .isNull, .compares, .hasPrefix, .isLike: nil
        }
    }

    private func narrowed(
        by operand: Operand, to values: Set<FieldValue>, in model: Model
    ) -> Narrowed? {
        let texts = values.compactMap(\.canonicalText)
            .sorted { ValueOrder(bytesOf: $0, $1) == .before }
        var lists = Narrowing()
        switch (operand.property, operand.relation) {
        case (.guid, nil): lists.guids = texts
        case (.guid, _?): lists.targets = texts
        case (.field(let name, let type), nil):
            let isUnique = model.fields.contains { $0.name == name && $0.isUnique }
            guard isUnique || type == .belongsTo else { return nil }
            if isUnique {
                lists.values = texts.map { UniqueValue(model: model.name, field: name, text: $0) }
            } else {
                lists.targets = texts
            }
        case (.field, _?), (.owner, _), (.group, _), (.conflicted, _): return nil
        }
        return Narrowed(lists: lists, condition: self)
    }
}

extension Narrowed {
    /// Nil unless every one of the parts is narrowed.
    fileprivate init?(any parts: [Narrowed?]) {
        var lists = Narrowing()
        for part in parts {
            guard let part else { return nil }
            lists.add(part.lists)
        }
        self.init(lists: lists, condition: .any(parts.compactMap { $0?.condition }))
    }
}
