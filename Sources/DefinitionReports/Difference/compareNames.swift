import DefinitionModel

/// The differences of the application as a whole that no model's differences include.
func applicationDifferences(
    from old: Definition, to new: Definition, besides models: [Difference]
) -> [Difference] {
    var differences: [Difference] = []
    if old.application != new.application {
        differences.append(.applicationRenamed(from: old.application, to: new.application))
    }
    if old.vendor != new.vendor {
        differences.append(.vendorRenamed(from: old.vendor, to: new.vendor))
    }
    if old.description != new.description { differences.append(.applicationDescriptionChanged) }
    let isTold = models.contains { $0.kind == .conflictModeChanged }
    let isWrittenOtherwise =
        old.conflictMode != new.conflictMode
        || written(old.writtenExtensions) != written(new.writtenExtensions)
    if differences.isEmpty, !isTold, isWrittenOtherwise {
        differences.append(.applicationWrittenOtherwise)
    }
    return differences
}

/// The differences of device categories, groups and roles.
func nameDifferences(from old: Definition, to new: Definition) -> [Difference] {
    let devices = changes(from: old.deviceCategories, to: new.deviceCategories)
    let groups = changes(from: old.groups, to: new.groups)
    let roles = changes(from: old.roles, to: new.roles)
    return devices.added.map(Difference.deviceCategoryAdded)
        + devices.removed.map { name in
            .deviceCategoryRemoved(name, had: old.roles.filter { $0.deviceCategory == name })
        }
        + groups.added.map(Difference.groupAdded) + groups.removed.map(Difference.groupRemoved)
        + roles.added.map(Difference.roleAdded) + roles.removed.map(Difference.roleRemoved)
}

private func changes<Thing: Equatable>(
    from old: [Thing], to new: [Thing]
) -> (added: [Thing], removed: [Thing]) {
    (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
}

/// The options as written, without order and place.
func written(_ options: [WrittenOption]) -> Set<[String]> {
    Set(options.map { [$0.name, $0.value] })
}
