/// The strongly connected components of a directed graph, each after all that it reaches. The nodes
/// of a component are in ascending order.
///
/// `successors` has the nodes that each node points to, by node. Tarjan's algorithm (1972), without
/// recursion, because a path can be as long as the number of nodes.
package func stronglyConnectedComponents(of successors: [[Int]]) -> [[Int]] {
    var search = ComponentSearch(successors)
    for node in successors.indices { search.explore(from: node) }
    return search.components
}

private struct ComponentSearch {
    private let successors: [[Int]]
    private(set) var components: [[Int]] = []
    /// The order of the first visit to each node; 0 for an unvisited one.
    private var arrival: [Int]
    /// The low link: the lowest arrival known to be reachable from a node.
    private var earliest: [Int]
    private var arrivals = 0
    /// The stack of visited nodes that are not yet assigned to a component.
    private var open: [Int] = []
    private var isOpen: [Bool]
    /// The path of the depth-first search, with the successors still to be followed.
    private var path: [(node: Int, rest: ArraySlice<Int>)] = []

    init(_ successors: [[Int]]) {
        self.successors = successors
        arrival = Array(repeating: 0, count: successors.count)
        earliest = arrival
        isOpen = Array(repeating: false, count: successors.count)
    }

    mutating func explore(from start: Int) {
        guard arrival[start] == 0 else { return }
        enter(start)
        while let last = path.indices.last {
            let node = path[last].node
            guard let target = path[last].rest.popFirst() else {
                leave(node)
                continue
            }
            if arrival[target] == 0 {
                enter(target)
            } else if isOpen[target] {
                earliest[node] = min(earliest[node], arrival[target])
            }
        }
    }

    private mutating func enter(_ node: Int) {
        arrivals += 1
        arrival[node] = arrivals
        earliest[node] = arrivals
        open.append(node)
        isOpen[node] = true
        path.append((node, successors[node][...]))
    }

    /// A node that reaches no node before it is the root of a component: itself and all above it on
    /// the stack.
    private mutating func leave(_ node: Int) {
        path.removeLast()
        if let before = path.last?.node {
            earliest[before] = min(earliest[before], earliest[node])
        }
        guard earliest[node] == arrival[node] else { return }
        var component: [Int] = []
        while let member = open.popLast() {
            isOpen[member] = false
            component.append(member)
            if member == node { break }
        }
        components.append(component.sorted())
    }
}
