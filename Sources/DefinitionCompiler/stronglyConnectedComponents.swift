/// The strongly connected components of the graph that contain a cycle, each in document order.
///
/// Tarjan's algorithm, without recursion, because a chain of relations can be as long as a
/// document.
func stronglyConnectedComponents(of graph: RequirementGraph) -> [[Int]] {
    var search = ComponentSearch(graph)
    for model in 0..<graph.modelCount { search.explore(from: model) }
    return search.components
}

private struct ComponentSearch {
    private let graph: RequirementGraph
    private(set) var components: [[Int]] = []
    /// The order of the first visit to each model; 0 for an unvisited one.
    private var arrival: [Int]
    /// The low link: the lowest arrival known to be reachable from a model.
    private var earliest: [Int]
    private var arrivals = 0
    /// The stack of visited models that are not yet assigned to a component.
    private var open: [Int] = []
    private var isOpen: [Bool]
    /// The path of the depth-first search, with the relations still to be followed.
    private var path: [(model: Int, rest: ArraySlice<RequiredRelation>)] = []

    init(_ graph: RequirementGraph) {
        self.graph = graph
        arrival = Array(repeating: 0, count: graph.modelCount)
        earliest = arrival
        isOpen = Array(repeating: false, count: graph.modelCount)
    }

    mutating func explore(from start: Int) {
        guard arrival[start] == 0 else { return }
        enter(start)
        while let last = path.indices.last {
            let model = path[last].model
            guard let target = path[last].rest.popFirst()?.target else {
                leave(model)
                continue
            }
            if arrival[target] == 0 {
                enter(target)
            } else if isOpen[target] {
                earliest[model] = min(earliest[model], arrival[target])
            }
        }
    }

    private mutating func enter(_ model: Int) {
        arrivals += 1
        arrival[model] = arrivals
        earliest[model] = arrivals
        open.append(model)
        isOpen[model] = true
        path.append((model, graph[model]))
    }

    /// A model that reaches no model before it is the root of a component: itself and all above it
    /// on the stack.
    private mutating func leave(_ model: Int) {
        path.removeLast()
        if let before = path.last?.model {
            earliest[before] = min(earliest[before], earliest[model])
        }
        guard earliest[model] == arrival[model] else { return }
        var component: [Int] = []
        while let member = open.popLast() {
            isOpen[member] = false
            component.append(member)
            if member == model { break }
        }
        let isCyclic = component.count > 1 || graph[model].contains { $0.target == model }
        if isCyclic { components.append(component.sorted()) }
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
