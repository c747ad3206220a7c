import AccessPolicy
import DefinitionModel

/// A model in both definitions, one of which may lack it, for comparing rights.
struct RightsScope {
    private let old: ComparedSide
    private let new: ComparedSide
    private let fields: [(old: Field?, new: Field?)]

    init(_ pair: ModelPair, in pairs: DefinitionPairs) {
        old = ComparedSide(model: pair.old, roles: pairs.old.roles, policy: pairs.oldPolicy)
        new = ComparedSide(model: pair.new, roles: pairs.new.roles, policy: pairs.newPolicy)
        fields =
            pair.fields.map { (old: $0.old, new: $0.new) }
            + (pair.mergedFields.map(\.old) + pair.removedFields).map { (old: $0, new: nil) }
    }

    init(removed model: Model, in pairs: DefinitionPairs) {
        old = ComparedSide(model: model, roles: pairs.old.roles, policy: pairs.oldPolicy)
        new = ComparedSide(model: nil, roles: pairs.new.roles, policy: pairs.newPolicy)
        fields = model.fields.map { (old: $0, new: nil) }
    }

    /// The rights that a role gains and loses. The loss of a field is not reported if its record is
    /// lost too.
    func differences(for role: Role, _ operation: Operation) -> [RightsDifference] {
        let record = shift(for: role, operation)
        guard Operation.ofFields.contains(operation) else {
            return differences(for: role, operation, record, with: .every)
        }
        let shifts = fields.map { (field: $0, shift: shift(for: role, operation, $0)) }
        let together = shifts.filter { $0.shift.gained == record.gained }
        let apart = shifts.filter { $0.shift.gained != record.gained }
        let gained: RightsDifference.FieldsGained =
            apart.compactMap(\.field.new).isEmpty
            ? .every
            : .some(
                together.compactMap(\.field.new?.name), missing: apart.compactMap(\.field.new?.name)
            )
        return differences(
            for: role, operation, record, with: gained,
            lacksRequiredField: operation == .read && old.roles.contains(role)
                && apart.contains { $0.field.old.map(old.isTakenForGranted) ?? false })
            + shifts.flatMap { field, shift in
                differences(for: role, operation, shift.beyond(record), of: field)
            }
    }

    private func shift(
        for role: Role, _ operation: Operation, _ field: (old: Field?, new: Field?)? = nil
    ) -> ScopeChange {
        guard let field else {
            return ScopeChange(
                from: old.reach(of: role, to: operation), to: new.reach(of: role, to: operation),
                operation)
        }
        return ScopeChange(
            from: field.old.map { old.reach(of: role, to: operation, $0) } ?? .none,
            to: field.new.map { new.reach(of: role, to: operation, $0) } ?? .none, operation)
    }

    private func differences(
        for role: Role, _ operation: Operation, _ shift: ScopeChange,
        with gained: RightsDifference.FieldsGained = .none, lacksRequiredField: Bool = false,
        of field: (old: Field?, new: Field?)? = nil
    ) -> [RightsDifference] {
        [
            (effect: RightsDifference.Effect.lost, owners: shift.lost),
            (effect: .gained, owners: shift.gained),
        ].filter { !$0.owners.isEmpty }.map { effect, owners in
            RightsDifference(
                effect: effect, roles: [role], operations: [operation],
                models: [new.model?.name ?? old.model?.name ?? ""],
                fields: field.map { [$0.new?.name ?? $0.old?.name ?? ""] } ?? [],
                fieldsGained: effect == .gained ? gained : .none, owners: owners,
                oldPlaces: old.places(for: role, field: field?.old, isWhole: field == nil),
                newPlaces: new.places(for: role, field: field?.new, isWhole: field == nil),
                lacksRequiredField: effect == .gained && lacksRequiredField)
        }
    }
}

/// The model in one of the definitions; nil if it is not there.
private struct ComparedSide {
    let model: Model?
    let roles: [Role]
    let policy: Policy

    /// Whether the field is readable and set in every record that is readable. Models generated for
    /// this definition then require a value.
    func isTakenForGranted(_ field: Field) -> Bool {
        field.isRequired
            && roles.allSatisfy { reach(of: $0, to: .read) == reach(of: $0, to: .read, field) }
    }

    func reach(of role: Role, to operation: Operation, _ field: Field? = nil) -> Reach {
        guard let model else { return .none }
        return policy.reach(of: role, to: operation, field: field?.name, of: model.name)
    }

    /// The place of the rule that decides for the model as a whole, or for one of its fields.
    func places(for role: Role, field: Field?, isWhole: Bool) -> [SourcePlace] {
        guard let model, roles.contains(role), isWhole || field != nil else { return [] }
        let subject = field.map { Subject.field($0.name, of: model.name) } ?? .model(model.name)
        return policy.rule(of: subject, for: role).map { [$0.place] } ?? []
    }
}

/// The records that a right gains and loses.
private struct ScopeChange {
    let gained: Set<RecordOwner>
    let lost: Set<RecordOwner>

    init(from old: Reach, to new: Reach, _ operation: Operation) {
        let before = old.owners(for: operation)
        let now = new.owners(for: operation)
        self.init(gained: now.subtracting(before), lost: before.subtracting(now))
    }

    private init(gained: Set<RecordOwner>, lost: Set<RecordOwner>) {
        self.gained = gained
        self.lost = lost
    }

    /// The part that the record's own shift does not imply: a gain that differs from the record's,
    /// and a loss beyond the record's.
    func beyond(_ record: ScopeChange) -> ScopeChange {
        ScopeChange(
            gained: gained == record.gained ? [] : gained, lost: lost.subtracting(record.lost))
    }
}
