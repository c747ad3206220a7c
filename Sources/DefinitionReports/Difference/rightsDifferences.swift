import DefinitionModel

/// Who gains and who loses what, told in as few differences as there can be: first model by model
/// what is found, then what has the same operations, fields, roles or models is put together.
func rightsDifferences(between pairs: Pairs) -> [RightsDifference] {
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

/// Those that differ in this list alone become one, which has all that is in theirs.
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
    /// What is about records as a whole stays apart from what is about fields.
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
