/// The column of each box, from the left. Links lead to the right, except those that `acyclicOrder`
/// reverses.
///
/// A box stands to the left of its targets, as close as the height limit of the columns allows. The
/// limit gives the drawing the aspect ratio of a page.
func columns(of graph: Graph) -> [Int] {
    let places = acyclicOrder(of: graph)
    var columns = DiagramColumns(graph, places: places)
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

/// The aspect ratio of a drawing, width by height.
private let shape = 1.5

/// Keeps the last boxes from needing a column of their own.
private let slack = 1.1

private struct DiagramColumns {
    private let boxes: [BoxSize]
    /// The targets and the sources of each box.
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

    /// The first column has the number 0; no column is empty.
    var fromLeft: [Int] {
        let used = Set(distances).sorted(by: >)
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        return distances.map { numbers[$0] ?? 0 }
    }

    func nearestDistance(of box: Int) -> Int {
        (right[box].map { distances[$0] }.max() ?? -1) + 1
    }

    /// Places a box in the first column with room, going left.
    mutating func put(_ box: Int, from distance: Int) {
        var distance = distance
        while !hasRoom(for: box, at: distance) { distance += 1 }
        distances[box] = distance
        while heights.count <= distance { heights.append(0) }
        heights[distance] += boxes[box].height + Spacing.boxes
    }

    /// Moves a box towards its sources, if it has more sources than targets.
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

/// Minimum spacing, in pixels.
enum Spacing {
    /// Between the boxes of a column.
    static let boxes = 30
    /// Between a box and a line that passes it.
    static let boxAndLine = 16
    /// Between lines that pass a column.
    static let lines = 11
    /// Between columns, at least.
    static let channel = 64
    /// Between connected components.
    static let parts = 48
    /// Around the drawing.
    static let margin = 32
}
