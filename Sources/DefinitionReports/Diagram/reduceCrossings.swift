/// The columns reordered to reduce crossings: sweeps that move each slot to the mean position of
/// its neighbours, followed by swaps of adjacent slots while they help. The better result of two
/// starts is used.
func reduceCrossings(_ layers: LayerGraph) -> [[Int]] {
    let starts = [
        layers.columns.map { withPassagesInTheMiddle($0, of: layers) }, layers.columns,
    ]
    let attempts = starts.map { reduceCrossings(CrossingReduction(layers, columns: $0)) }
    let best = attempts.min { $0.crossings < $1.crossings }
    return best?.columns ?? layers.columns
}

private func reduceCrossings(_ reduction: CrossingReduction) -> (crossings: Int, columns: [[Int]]) {
    var reduction = reduction
    var best = (crossings: reduction.crossings, columns: reduction.columns)
    for round in 0..<rounds where best.crossings > 0 {
        reduction.sweep(toRight: round % 2 == 0)
        reduction.swapNeighbours()
        let crossings = reduction.crossings
        if crossings < best.crossings { best = (crossings, reduction.columns) }
    }
    return best
}

private let rounds = 24

private struct CrossingReduction {
    private(set) var columns: [[Int]]
    private let segments: [[LayerGraph.Segment]]
    private let sides: [Sides]
    private let heights: [Int]
    /// The index of each slot in its column.
    private var ranks: [Int]

    /// The ends of a slot's lines in the adjacent columns.
    private struct Sides {
        var left: [LayerGraph.Port] = []
        var right: [LayerGraph.Port] = []
    }

    init(_ layers: LayerGraph, columns: [[Int]]) {
        self.columns = columns
        segments = layers.segments
        heights = layers.slots.map { max(1, $0.height) }
        var sides = layers.slots.map { _ in Sides() }
        for segment in layers.segments.joined() {
            sides[segment.left.slot].right.append(segment.right)
            sides[segment.right.slot].left.append(segment.left)
        }
        self.sides = sides
        ranks = layers.slots.map { _ in 0 }
        for column in columns { rank(column) }
    }

    private mutating func rank(_ column: [Int]) {
        for (rank, slot) in column.enumerated() { ranks[slot] = rank }
    }

    /// From the top, in units common to all ports of a column.
    private func position(of port: LayerGraph.Port) -> Double {
        Double(ranks[port.slot]) + Double(port.y) / Double(heights[port.slot] + 1)
    }

    mutating func sweep(toRight: Bool) {
        let indices = Array(columns.indices)
        for index in toRight ? indices : indices.reversed() {
            let count = Double(max(1, columns[index].count))
            let keyed = columns[index].map { slot in
                let ports = toRight ? sides[slot].left : sides[slot].right
                guard !ports.isEmpty else {
                    return (slot: slot, key: Double(ranks[slot]) / count)
                }
                let sum = ports.reduce(0) { $0 + position(of: $1) }
                let beside = Double(columns[toRight ? index - 1 : index + 1].count)
                return (slot: slot, key: sum / Double(ports.count) / max(1, beside))
            }
            columns[index] = keyed.sorted { ($0.key, ranks[$0.slot]) < ($1.key, ranks[$1.slot]) }
                .map(\.slot)
            rank(columns[index])
        }
    }

    mutating func swapNeighbours() {
        var isBetter = true
        var rounds = 0
        while isBetter, rounds < 8 {
            isBetter = false
            rounds += 1
            for index in columns.indices {
                for upper in columns[index].indices.dropLast() {
                    isBetter = swapIfBetter(upper, in: index) || isBetter
                }
            }
        }
    }

    private mutating func swapIfBetter(_ upper: Int, in column: Int) -> Bool {
        let (first, second) = (columns[column][upper], columns[column][upper + 1])
        let now = crossings(of: first, above: second)
        guard now > 0, now > crossings(of: second, above: first) else { return false }
        columns[column].swapAt(upper, upper + 1)
        rank(columns[column])
        return true
    }

    private func crossings(of upper: Int, above lower: Int) -> Int {
        crossings(sides[upper].left, above: sides[lower].left)
            + crossings(sides[upper].right, above: sides[lower].right)
    }

    private func crossings(_ upper: [LayerGraph.Port], above lower: [LayerGraph.Port]) -> Int {
        upper.reduce(0) { sum, port in
            let position = position(of: port)
            return sum + lower.count { self.position(of: $0) < position }
        }
    }

    var crossings: Int {
        segments.reduce(0) { sum, segments in
            let ends = segments.map { (position(of: $0.left), position(of: $0.right)) }
                .sorted { $0 < $1 }
            return sum + inversions(in: ends.map(\.1)).count
        }
    }
}

/// Starts with passages between the upper and the lower half of the boxes.
private func withPassagesInTheMiddle(_ column: [Int], of layers: LayerGraph) -> [Int] {
    let boxes = column.filter { !layers.isPassage($0) }
    let passages = column.filter(layers.isPassage)
    return boxes[..<(boxes.count / 2)] + passages + boxes[(boxes.count / 2)...]
}

/// The number of inversions, and the sorted elements.
private func inversions(in elements: [Double]) -> (count: Int, sorted: [Double]) {
    guard elements.count > 1 else { return (0, elements) }
    let half = elements.count / 2
    let left = inversions(in: Array(elements[..<half]))
    let right = inversions(in: Array(elements[half...]))
    var count = left.count + right.count
    var sorted: [Double] = []
    var rest = left.sorted[...]
    for element in right.sorted {
        while let first = rest.first, first <= element { sorted.append(rest.removeFirst()) }
        count += rest.count
        sorted.append(element)
    }
    return (count, sorted + rest)
}
