/// The effects of a batch on unique values: the values that each touched record had and has, and
/// the change that set each.
struct UniqueClaims {
    /// A new unique value that a change gave to its record.
    struct Claim: Hashable {
        let changeID: String
        /// Index of the change in the batch.
        let position: Int
        let holding: UniqueHolding
        /// The former value of the field.
        let replaced: UniqueValue?

        var value: UniqueValue { holding.value }
    }

    private struct Slot: Hashable {
        let guid: String
        let field: String
    }

    /// Values of every touched record before the batch and now, by guid.
    private var before: [String: [UniqueValue]] = [:]
    private var after: [String: [UniqueValue]] = [:]
    /// The last claim of each field.
    private var claims: [Slot: Claim] = [:]

    /// Records that a change replaced a record's values.
    mutating func note(
        _ changeID: String, at position: Int, on guid: String, from old: [UniqueValue],
        to new: [UniqueValue]
    ) {
        // Most records have no unique values.
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

    /// Whether no record got a new value.
    var isEmpty: Bool { claims.isEmpty }

    /// Values that touched records had and no longer have.
    var freed: [UniqueHolding] { holdings(in: before, notIn: after) }
    /// Values that touched records have and did not have.
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
    /// Returns the claims to refuse, in the order of the batch. `holders` maps the claimed values
    /// to the guids of their stored holders. `single` contains the guids of records with exactly
    /// one change in the batch.
    ///
    /// A value that its holder keeps cannot be claimed. If there are such claims, only they and
    /// those that depend on them are returned, since other clashes may vanish with them. Otherwise,
    /// of two changes that claim one value, the earlier gets it.
    func clashes(with holders: [UniqueValue: String], single: Set<String>) -> [Claim] {
        let standing = standingClaims
        let hopeless = standing.filter { isKept($0.value, holders: holders) }
        return following(
            hopeless.isEmpty ? latecomers(in: standing) : hopeless, in: standing, single: single)
    }

    /// The claims whose records have the value after all changes, in the order of the batch.
    private var standingClaims: [Claim] {
        after.flatMap { guid, values in
            values.compactMap { claims[Slot(guid: guid, field: $0.field)] }
        }.sorted {
            ($0.position, $0.value.field) < ($1.position, $1.value.field)
        }
    }

    /// Whether the stored holder of a value keeps it, other than by a change of this batch.
    private func isKept(_ value: UniqueValue, holders: [UniqueValue: String]) -> Bool {
        guard let guid = holders[value] else { return false }
        guard let values = after[guid] else { return true }
        return values.contains(value) && claims[Slot(guid: guid, field: value.field)] == nil
    }

    /// Claims of values that an earlier change gets. A change that loses one value gets none.
    private func latecomers(in standing: [Claim]) -> [Claim] {
        let changes = Dictionary(grouping: standing, by: \.position).sorted { $0.key < $1.key }
        var given: Set<UniqueValue> = []
        return changes.flatMap { _, claims in
            let late = claims.filter { given.contains($0.value) }
            if late.isEmpty { given.formUnion(claims.map(\.value)) }
            return late
        }
    }

    /// Adds the claims that fail with these: without its only change a record gets back the
    /// replaced value. In a row of records that all move up by one place, all claims fail together.
    private func following(
        _ first: [Claim], in standing: [Claim], single: Set<String>
    ) -> [Claim] {
        let byChange = Dictionary(
            grouping: standing.filter { single.contains($0.holding.guid) }, by: \.changeID)
        var byValue = Dictionary(grouping: standing, by: \.value)
        var fallen = Set(first)
        var open = first
        while let claim = open.popLast() {
            let returned = (byChange[claim.changeID] ?? []).compactMap(\.replaced)
            // All claims of a value fall together, so none is visited twice.
            let next = returned.flatMap { byValue.removeValue(forKey: $0) ?? [] }
                .filter { !fallen.contains($0) }
            fallen.formUnion(next)
            open += next
        }
        return standing.filter(fallen.contains)
    }
}
