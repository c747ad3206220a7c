import DefinitionModel

/// A model with the attribute `joins` has two relations and no other field that a record must name,
/// so that a client can make a record from a pair alone. The name of the relation must be free in
/// the model of the first.
func checkJoins(
    _ models: [Model], of elements: [Element], reportingTo collector: inout DiagnosticCollector
) {
    var claims: [String: Range<Int>] = [:]
    for element in elements {
        guard let attribute = element[own: "joins"], let name = element["name"],
            let model = models.first(where: { $0.name == name.value })
        else { continue }
        let range = attribute.valueRange
        if !isLegal(attribute.value) {
            collector.report(.illegalName(attribute.value, of: .field, at: range))
            continue
        }
        let relations = model.fields.filter { $0.type.name == .belongsTo }
        let others = model.fields.filter {
            $0.isRequired && $0.defaultValue == nil && $0.type.name != .belongsTo
        }
        guard let join = model.join, relations.allSatisfy(\.isRequired), others.isEmpty else {
            collector.report(.joinsNoPairs(model.name, at: attribute.nameRange))
            continue
        }
        let key = "\(join.owner).\(join.name.lowercased())"
        let taken = models.first { $0.name == join.owner }?.fields.contains { field in
            [field.name, field.foreignName].contains { $0.lowercased() == join.name.lowercased() }
        }
        if taken == true || claims[key] != nil {
            collector.report(.joinTaken(join.name, of: join.owner, at: range, first: claims[key]))
        }
        claims[key] = range
    }
}
