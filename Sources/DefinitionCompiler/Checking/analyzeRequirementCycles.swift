import DefinitionModel

/// Reports models that require each other, so that no single creation can satisfy them.
///
/// References are checked at the end of a batch. All models of a cycle can therefore be created at
/// once if one role may create them all. If none may, no first record of any of them can ever be
/// created: each record requires one of another model in the cycle that the role may not create,
/// and for the same reason no other role can have created one.
func analyzeRequirementCycles(
    in definition: DefinitionIndex, reportingTo collector: inout DiagnosticCollector
) {
    let graph = RequirementGraph(definition)
    guard !graph.isEmpty else { return }
    for component in cyclicComponents(of: graph) {
        let creators = rolesThatCreate(all: component, in: definition)
        if creators.isEmpty {
            collector.report(
                .neverCreatable(
                    RequirementCycle(component, of: graph, in: definition),
                    limits: limits(of: component, in: definition)))
        } else {
            collector.warn(
                .requiredCycle(RequirementCycle(component, of: graph, in: definition), by: creators)
            )
        }
    }
}

/// Sorted by name.
private func rolesThatCreate(all component: [Int], in definition: DefinitionIndex) -> [String] {
    var counts: [Role: Int] = [:]
    for number in component {
        for role in rolesThatCreate(definition.contents.models[number]) {
            counts[role, default: 0] += 1
        }
    }
    return counts.filter { $0.value == component.count }.map(\.key.name).sorted()
}

/// The roles that may create a complete record. If there are none, which is reported elsewhere, all
/// roles that may create records.
private func rolesThatCreate(_ model: Model) -> Set<Role> {
    let able = roles(thatFill: model)
    return able.isEmpty
        ? Set(model.credentials.filter { $0.value.create.reachesSome }.map(\.key)) : able
}

/// For each of the first models of a cycle, a role that may create it and another model that this
/// role may not create.
private func limits(of component: [Int], in definition: DefinitionIndex) -> [RelatedRange] {
    let models = component.map { definition.contents.models[$0] }
    let creators = models.map(rolesThatCreate)
    return zip(models, creators).prefix(maxLimitsShown).compactMap { model, able in
        guard let first = model.credentialsInOrder.first(where: { able.contains($0.role) }),
            let other = creators.firstIndex(where: { !$0.contains(first.role) })
        else { return nil }
        return RelatedRange(
            range: definition.document.range(of: "createAllowed", at: first.credential.place),
            message: "\(quoted(first.role.name)) may create records of \(quoted(model.name)), "
                + "but none of \(quoted(models[other].name))")
    }
}

private let maxLimitsShown = 3

extension RequirementCycle {
    fileprivate init(_ component: [Int], of graph: RequirementGraph, in definition: DefinitionIndex)
    {
        let all = definition.contents.models
        models = component.map { all[$0].name }
        requirements = cycle(in: component, of: graph).map { relation in
            let model = all[relation.model]
            return Requirement(
                model: model.name, target: all[relation.target].name,
                range: definition.document.range(of: "name", at: model.fields[relation.field].place)
            )
        }
    }
}
