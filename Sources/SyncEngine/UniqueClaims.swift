/// What the changes of a batch do to unique values: what the records that they touch had, and have,
/// and which change gave it to them.
struct UniqueClaims {
    /// That a change gave its record a value that it had not just before.
    struct Claim: Hashable {
        let changeID: String
        /// The change's in the batch.
        let position: Int
        let holding: UniqueHolding
        /// The value that the change took from the field.
        let replaced: UniqueValue?

        var value: UniqueValue { holding.value }
    }

    private struct Slot: Hashable {
        let guid: String
        let field: String
    }

    /// By guid of every touched record: what it had before the batch, and has now.
    private var before: [String: [UniqueValue]] = [:]
    private var after: [String: [UniqueValue]] = [:]
    /// The last claim of each field.
    private var claims: [Slot: Claim] = [:]

    /// Notes that a change made other values of a record's.
    mutating func note(
        _ changeID: String, at position: Int, on guid: String, from old: [UniqueValue],
        to new: [UniqueValue]
    ) {
        // Most records have none, before and after.
        guard !old.isEmpty || !new.isEmpty else { return }
        if before[guid] == nil { before[guid] = old }
        after[guid] = new
        for value in new where !old.contains(value) {
            claims[Slot(guid: guid, field: value.field)] = Claim(
                changeID: changeID, position: position,
                holding: UniqueHolding(value: value, guid: guid),
                replaced: old.first { $0.field == value.field })
        }
    }

    /// Whether no change gave its record a value.
    var isEmpty: Bool { claims.isEmpty }

    /// What touched records had and have no longer.
    var freed: [UniqueHolding] { holdings(in: before, notIn: after) }
    /// What they have and had not.
    var taken: [UniqueHolding] { holdings(in: after, notIn: before) }

    private func holdings(
        in some: [String: [UniqueValue]], notIn others: [String: [UniqueValue]]
    ) -> [UniqueHolding] {
        guard some.values.contains(where: { !$0.isEmpty }) else { return [] }
        return some.keys.sorted().flatMap { guid in
            (some[guid] ?? []).filter { !(others[guid] ?? []).contains($0) }
                .map { UniqueHolding(value: $0, guid: guid) }
        }
    }
}

// MARK: - Clashes

extension UniqueClaims {
    /// The claims that cannot stand, in the order of the batch. `holders` has the guids of the
    /// records that the claimed values are stored with, and `single` those of the records that the
    /// batch has one change of.
    ///
    /// Where a value is somebody's in any case, no claim of it stands. As long as there are such,
    /// they are all that is given, since other clashes may be over without them. In the others two
    /// changes want one value, and the earlier in the batch gets it.
    func clashes(with holders: [UniqueValue: String], single: Set<String>) -> [Claim] {
        let standing = standingClaims
        let hopeless = standing.filter { isKept($0.value, holders: holders) }
        return following(
            hopeless.isEmpty ? latecomers(in: standing) : hopeless, in: standing, single: single)
    }

    /// Those whose record has the value when all changes were looked at, in the batch's order.
    private var standingClaims: [Claim] {
        after.flatMap { guid, values in
            values.compactMap { claims[Slot(guid: guid, field: $0.field)] }
        }.sorted {
            ($0.position, $0.value.field) < ($1.position, $1.value.field)
        }
    }

    /// Whether the record that a value is stored with has it, and no change of this batch gave it.
    private func isKept(_ value: UniqueValue, holders: [UniqueValue: String]) -> Bool {
        guard let guid = holders[value] else { return false }
        guard let values = after[guid] else { return true }
        return values.contains(value) && claims[Slot(guid: guid, field: value.field)] == nil
    }

    /// A change that does not get one of its values gets none of them.
    private func latecomers(in standing: [Claim]) -> [Claim] {
        let changes = Dictionary(grouping: standing, by: \.position).sorted { $0.key < $1.key }
        var given: Set<UniqueValue> = []
        return changes.flatMap { _, claims in
            let late = claims.filter { given.contains($0.value) }
            if late.isEmpty { given.formUnion(claims.map(\.value)) }
            return late
        }
    }

    /// With the claims that fall because these do: without its only change a record has again what
    /// the change replaced. So a row of records that all move up by one place falls together.
    private func following(
        _ first: [Claim], in standing: [Claim], single: Set<String>
    ) -> [Claim] {
        let byChange = Dictionary(
            grouping: standing.filter { single.contains($0.holding.guid) }, by: \.changeID)
        let byValue = Dictionary(grouping: standing, by: \.value)
        var fallen = Set(first)
        var open = first
        while let claim = open.popLast() {
            let returned = (byChange[claim.changeID] ?? []).compactMap(\.replaced)
            let next = returned.flatMap { byValue[$0] ?? [] }.filter { !fallen.contains($0) }
            fallen.formUnion(next)
            open += next
        }
        return standing.filter(fallen.contains)
    }
}
