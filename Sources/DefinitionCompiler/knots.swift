/// The models that cannot do without each other, and those that cannot do without themselves: the
/// strongly connected components that have a cycle, each in the order of the document.
///
/// Tarjan's algorithm, without recursion, since a chain of relations can be as long as a document.
func knots(in needs: Needs) -> [[Int]] {
    var search = KnotSearch(needs)
    for model in 0..<needs.modelCount { search.explore(from: model) }
    return search.knots
}

private struct KnotSearch {
    private let needs: Needs
    private(set) var knots: [[Int]] = []
    /// When a model was met first; 0 for one that was not.
    private var arrival: [Int]
    /// The earliest arrival that is known to be reached from a model.
    private var earliest: [Int]
    private var arrivals = 0
    /// Met, and not yet known to be in a component.
    private var open: [Int] = []
    private var isOpen: [Bool]
    /// From where the search started to where it is, with the relations still to be followed.
    private var path: [(model: Int, rest: ArraySlice<RequiredRelation>)] = []

    init(_ needs: Needs) {
        self.needs = needs
        arrival = Array(repeating: 0, count: needs.modelCount)
        earliest = arrival
        isOpen = Array(repeating: false, count: needs.modelCount)
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
        path.append((model, needs[model]))
    }

    /// All that is open from a model on which reaches nothing before it is a component.
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
        let isKnot = component.count > 1 || needs[model].contains { $0.target == model }
        if isKnot { knots.append(component.sorted()) }
    }
}

/// A shortest way round from the first model of a knot back to it.
func cycle(in knot: [Int], of needs: Needs) -> [RequiredRelation] {
    guard let start = knot.first else { return [] }
    let members = Set(knot)
    var cameBy: [Int: RequiredRelation] = [:]
    var next = [start]
    while !next.isEmpty {
        var reached: [Int] = []
        for relation in next.flatMap({ needs[$0] }) where members.contains(relation.target) {
            if relation.target == start { return way(to: relation, from: start, by: cameBy) }
            guard cameBy[relation.target] == nil else { continue }
            cameBy[relation.target] = relation
            reached.append(relation.target)
        }
        next = reached
    }
    return []
}

private func way(
    to last: RequiredRelation, from start: Int, by cameBy: [Int: RequiredRelation]
) -> [RequiredRelation] {
    var way = [last]
    var model = last.model
    while model != start, let relation = cameBy[model] {
        way.append(relation)
        model = relation.model
    }
    return way.reversed()
}
