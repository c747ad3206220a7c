import DefinitionModel

/// The components of models that require each other, or themselves.
func cyclicComponents(of graph: RequirementGraph) -> [[Int]] {
    let targets = (0..<graph.modelCount).map { model in graph[model].map(\.target) }
    return stronglyConnectedComponents(of: targets).filter { component in
        component.count > 1 || component.contains { targets[$0].contains($0) }
    }
}

/// A shortest cycle through the first model of a component.
func cycle(in component: [Int], of graph: RequirementGraph) -> [RequiredRelation] {
    guard let start = component.first else { return [] }
    let members = Set(component)
    var predecessors: [Int: RequiredRelation] = [:]
    var next = [start]
    while !next.isEmpty {
        var reached: [Int] = []
        for relation in next.flatMap({ graph[$0] }) where members.contains(relation.target) {
            if relation.target == start { return path(to: relation, from: start, by: predecessors) }
            guard predecessors[relation.target] == nil else { continue }
            predecessors[relation.target] = relation
            reached.append(relation.target)
        }
        next = reached
    }
    return []
}

private func path(
    to last: RequiredRelation, from start: Int, by predecessors: [Int: RequiredRelation]
) -> [RequiredRelation] {
    var path = [last]
    var model = last.model
    while model != start, let relation = predecessors[model] {
        path.append(relation)
        model = relation.model
    }
    return path.reversed()
}
