import DefinitionModel

/// The rights gained and lost, in as few differences as possible: computed model by model, then
/// merged where only operations, fields, roles or models differ.
func rightsDifferences(between pairs: DefinitionPairs) -> [RightsDifference] {
    let scopes =
        pairs.models.map { RightsScope($0, in: pairs) }
        + (pairs.mergedModels.map(\.old) + pairs.removedModels).map {
            RightsScope(removed: $0, in: pairs)
        }
    let found = scopes.flatMap { scope in
        pairs.roles.flatMap { role in
            Operation.allCases.flatMap { scope.differences(for: role, $0) }
        }
    }
    return joined(joined(joined(joined(found, \.operations), \.fields), \.roles), \.models)
}

/// Merges the differences that differ in this list only; the result has the union of their lists.
private func joined<Element>(
    _ differences: [RightsDifference], _ list: WritableKeyPath<RightsDifference, [Element]>
) -> [RightsDifference] {
    var order: [RightsDifference] = []
    var joined: [RightsDifference: RightsDifference] = [:]
    for difference in differences {
        let key = difference.without(list)
        if let other = joined[key] {
            joined[key] = other.with(difference, list)
        } else {
            order.append(key)
            joined[key] = difference
        }
    }
    return order.compactMap { joined[$0] }
}

extension RightsDifference {
    /// Differences about records stay separate from those about fields.
    fileprivate func without<Element>(
        _ list: WritableKeyPath<RightsDifference, [Element]>
    ) -> RightsDifference {
        var key = self
        let isAboutFields = !fields.isEmpty
        key[keyPath: list] = []
        if isAboutFields, key.fields.isEmpty { key.fields = [""] }
        key.oldPlaces = []
        key.newPlaces = []
        return key
    }

    fileprivate func with<Element>(
        _ other: RightsDifference, _ list: WritableKeyPath<RightsDifference, [Element]>
    ) -> RightsDifference {
        var both = self
        both[keyPath: list] += other[keyPath: list]
        both.oldPlaces += other.oldPlaces.filter { !oldPlaces.contains($0) }
        both.newPlaces += other.newPlaces.filter { !newPlaces.contains($0) }
        return both
    }
}
