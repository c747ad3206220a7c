import DefinitionModel

/// Models that require each other, which no creation by itself can satisfy.
///
/// References are looked at when a whole batch was, so all models of a knot can come into being at
/// once, if a single role may create them all. If none may, the first record of none of them can
/// ever be created: whatever part of the knot a role creates needs another part, which is not there
/// and of which, for the same reason, nobody can have created the first.
func reasonAboutKnots(in survey: Survey, reportingTo findings: inout Findings) {
    let needs = Needs(survey)
    guard !needs.isEmpty else { return }
    for knot in knots(in: needs) {
        let creators = rolesThatCreate(all: knot, in: survey)
        if creators.isEmpty {
            findings.report(
                .neverCreatable(
                    Knot(knot, of: needs, in: survey), limits: limits(of: knot, in: survey)))
        } else {
            findings.warn(
                .requiredCycle(Knot(knot, of: needs, in: survey), by: creators))
        }
    }
}

/// By name.
private func rolesThatCreate(all knot: [Int], in survey: Survey) -> [String] {
    var counts: [Role: Int] = [:]
    for number in knot {
        for role in rolesThatCreate(survey.contents.models[number]) {
            counts[role, default: 0] += 1
        }
    }
    return counts.filter { $0.value == knot.count }.map(\.key.name).sorted()
}

/// The roles that may create a whole record. If there are none, which is said elsewhere, then as
/// if that were mended: all that may create one.
private func rolesThatCreate(_ model: Model) -> Set<Role> {
    let able = roles(thatFill: model)
    return able.isEmpty
        ? Set(model.credentials.filter { $0.value.create.reachesSome }.map(\.key)) : able
}

/// Of the first models of a knot, who may create them, and which other model of it they may not.
private func limits(of knot: [Int], in survey: Survey) -> [RelatedRange] {
    let models = knot.map { survey.contents.models[$0] }
    let creators = models.map(rolesThatCreate)
    return zip(models, creators).prefix(mostLimitsShown).compactMap { model, able in
        guard let first = model.credentialsInOrder.first(where: { able.contains($0.role) }),
            let other = creators.firstIndex(where: { !$0.contains(first.role) })
        else { return nil }
        return RelatedRange(
            range: survey.document.range(of: "createAllowed", at: first.credential.place),
            message: "\(quoted(first.role.name)) may create records of \(quoted(model.name)), "
                + "but none of \(quoted(models[other].name))")
    }
}

private let mostLimitsShown = 3

extension Knot {
    fileprivate init(_ knot: [Int], of needs: Needs, in survey: Survey) {
        let all = survey.contents.models
        models = knot.map { all[$0].name }
        ring = cycle(in: knot, of: needs).map { relation in
            let model = all[relation.model]
            return Link(
                model: model.name, target: all[relation.target].name,
                range: survey.document.range(of: "name", at: model.fields[relation.field].place))
        }
    }
}
