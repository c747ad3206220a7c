/// Which column each box stands in, from the left; links lead to the right, except those that
/// `acyclicOrder` has lead back.
///
/// A box stands left of all that it leads to, as near as there is room, since columns are only so
/// high that the whole gets the shape of a page.
func columns(of graph: Graph) -> [Int] {
    let places = acyclicOrder(of: graph)
    var columns = Columns(graph, places: places)
    for box in graph.boxes.indices.sorted(by: { places[$0] > places[$1] }) {
        columns.put(box, from: columns.nearestDistance(of: box))
    }
    for _ in 0..<rounds {
        for box in graph.boxes.indices.sorted(by: { places[$0] < places[$1] }) {
            columns.pull(box)
        }
    }
    return columns.fromLeft
}

private let rounds = 4

/// A drawing's width by its height.
private let shape = 1.5

/// So that the last boxes do not need a column of their own.
private let slack = 1.1

private struct Columns {
    private let boxes: [BoxSize]
    /// To the right and to the left of each box.
    private var right: [[Int]]
    private var left: [[Int]]
    private let heightLimit: Int
    /// From the rightmost column.
    private var distances: [Int]
    private var heights: [Int] = []

    init(_ graph: Graph, places: [Int]) {
        boxes = graph.boxes
        right = graph.boxes.map { _ in [] }
        left = graph.boxes.map { _ in [] }
        for link in graph.links {
            let ends = [link.source, link.target].sorted { places[$0] < places[$1] }
            right[ends[0]].append(ends[1])
            left[ends[1]].append(ends[0])
        }
        distances = graph.boxes.map { _ in 0 }
        let area = boxes.reduce(0) {
            $0 + ($1.width + Spacing.channel) * ($1.height + Spacing.boxes)
        }
        let height = Int((Double(area) / shape).squareRoot() * slack)
        heightLimit = max(height, boxes.map(\.height).max() ?? 0) + Spacing.boxes
    }

    /// The first column has the number 0; none is empty.
    var fromLeft: [Int] {
        let used = Set(distances).sorted(by: >)
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        return distances.map { numbers[$0] ?? 0 }
    }

    func nearestDistance(of box: Int) -> Int {
        (right[box].map { distances[$0] }.max() ?? -1) + 1
    }

    /// In the first column with room, going left.
    mutating func put(_ box: Int, from distance: Int) {
        var distance = distance
        while !hasRoom(for: box, at: distance) { distance += 1 }
        distances[box] = distance
        while heights.count <= distance { heights.append(0) }
        heights[distance] += boxes[box].height + Spacing.boxes
    }

    /// Nearer to what leads to it, where more does than it leads to itself.
    mutating func pull(_ box: Int) {
        guard left[box].count > right[box].count,
            let end = left[box].map({ distances[$0] }).min(), end - 1 > distances[box]
        else { return }
        let wanted = stride(from: end - 1, to: distances[box], by: -1)
        guard let distance = wanted.first(where: { hasRoom(for: box, at: $0) }) else { return }
        heights[distances[box]] -= boxes[box].height + Spacing.boxes
        put(box, from: distance)
    }

    private func hasRoom(for box: Int, at distance: Int) -> Bool {
        guard distance < heights.count, heights[distance] > 0 else { return true }
        return heights[distance] + boxes[box].height + Spacing.boxes <= heightLimit
    }
}

/// What is left free, in pixels.
enum Spacing {
    /// Between boxes of a column.
    static let boxes = 30
    /// Between a box and a line that passes it.
    static let boxAndLine = 16
    /// Between lines that pass a column.
    static let lines = 11
    /// Between columns, at least.
    static let channel = 64
    /// Between drawings that do not hang together.
    static let parts = 48
    /// Round everything.
    static let margin = 32
}
