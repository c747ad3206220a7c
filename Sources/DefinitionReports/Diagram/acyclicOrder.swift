/// The position of each box in a linear order with few backward links. Backward links are drawn
/// from right to left.
///
/// The heuristic of Eades, Lin and Smyth: sources are removed to the left end and sinks to the
/// right end; if there are neither, the box with the largest surplus of outgoing links goes to the
/// left.
func acyclicOrder(of graph: Graph) -> [Int] {
    var row = ModelRow(graph)
    while row.takeEnd() || row.takeFromRing() {}
    return row.places
}

private struct ModelRow {
    private(set) var places: [Int]
    private let links: [[(other: Int, leadsAway: Bool)]]
    private var leadingAway: [Int]
    private var leadingTo: [Int]
    private var isTaken: [Bool]
    private var ends: [Int]
    private var left = 0
    private var right: Int

    init(_ graph: Graph) {
        var links = graph.boxes.map { _ in [(other: Int, leadsAway: Bool)]() }
        for link in graph.links {
            links[link.source].append((link.target, true))
            links[link.target].append((link.source, false))
        }
        self.links = links
        leadingAway = links.map { $0.count { $0.leadsAway } }
        leadingTo = links.map { $0.count { !$0.leadsAway } }
        places = graph.boxes.map { _ in 0 }
        isTaken = graph.boxes.map { _ in false }
        right = graph.boxes.count - 1
        ends = []
        ends = graph.boxes.indices.reversed().filter(isEnd)
    }

    private func isEnd(_ box: Int) -> Bool { leadingAway[box] == 0 || leadingTo[box] == 0 }

    /// Removes a source or sink; returns false if there is none.
    mutating func takeEnd() -> Bool {
        while let box = ends.popLast() {
            guard !isTaken[box] else { continue }
            take(box, toLeft: leadingAway[box] > 0)
            return true
        }
        return false
    }

    /// Removes the box with the largest surplus; returns false if no box is left.
    mutating func takeFromRing() -> Bool {
        let rest = places.indices.filter { !isTaken[$0] }
        let leads = rest.map { leadingAway[$0] - leadingTo[$0] }
        guard let lead = leads.max(), let index = leads.firstIndex(of: lead) else { return false }
        take(rest[index], toLeft: true)
        return true
    }

    private mutating func take(_ box: Int, toLeft: Bool) {
        isTaken[box] = true
        places[box] = toLeft ? left : right
        left += toLeft ? 1 : 0
        right -= toLeft ? 0 : 1
        for (other, leadsAway) in links[box] where !isTaken[other] {
            if leadsAway { leadingTo[other] -= 1 } else { leadingAway[other] -= 1 }
            if isEnd(other) { ends.append(other) }
        }
    }
}
