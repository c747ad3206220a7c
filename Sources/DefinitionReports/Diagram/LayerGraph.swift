/// The layered graph: columns of slots, which hold a box or a passage for lines. A segment leads
/// from one column to the next.
///
/// Lines to the same side of the same box share passages from where they meet.
struct LayerGraph {
    private(set) var slots: [Slot] = []
    /// Slots of each column, from top to bottom.
    private(set) var columns: [[Int]]
    /// Segments from each column to the next.
    private(set) var segments: [[Segment]]
    /// For each link of the graph, its segments from left to right and its direction.
    private(set) var routes: [Route] = []

    struct Slot: Hashable {
        let column: Int
        /// Nil for a passage.
        let box: Int?
        let height: Int
    }

    /// A point on the left or right side of a slot.
    struct Port: Hashable {
        let slot: Int
        /// From the top of the slot.
        let y: Int
    }

    struct Segment: Hashable {
        let left: Port
        let right: Port
    }

    struct Route {
        let leadsLeft: Bool
        var segments: [Segment] = []
    }

    init(_ graph: Graph, columns columnOfBox: [Int]) {
        let count = (columnOfBox.max() ?? -1) + 1
        columns = (0..<count).map { _ in [] }
        segments = (0..<max(0, count - 1)).map { _ in [] }
        for (box, column) in columnOfBox.enumerated() {
            _ = add(Slot(column: column, box: box, height: graph.boxes[box].height))
        }
        var passages: [Passage: Int] = [:]
        for link in graph.links { addRoute(of: link, through: &passages) }
        segments = segments.map { unique($0) }
    }

    private mutating func add(_ slot: Slot) -> Int {
        slots.append(slot)
        columns[slot.column].append(slots.count - 1)
        return slots.count - 1
    }

    /// Identifies a passage: the column, and the side of the box that its lines lead to.
    private struct Passage: Hashable {
        let target: Int
        let fromRight: Bool
        let column: Int
    }

    /// The boxes are the first slots, so a box and its slot have the same index.
    private mutating func addRoute(of link: Graph.Link, through passages: inout [Passage: Int]) {
        let source = Port(slot: link.source, y: BoxSize.middle(ofRow: link.row))
        let target = Port(slot: link.target, y: BoxSize.middleOfHead)
        let leadsLeft = slots[link.target].column < slots[link.source].column
        let (start, end) = leadsLeft ? (target, source) : (source, target)
        var route = Route(leadsLeft: leadsLeft)
        var last = start
        for column in slots[start.slot].column + 1..<slots[end.slot].column {
            let passage = Passage(target: link.target, fromRight: leadsLeft, column: column)
            let slot = passages[passage] ?? add(Slot(column: column, box: nil, height: 0))
            passages[passage] = slot
            route.segments.append(Segment(left: last, right: Port(slot: slot, y: 0)))
            last = Port(slot: slot, y: 0)
        }
        route.segments.append(Segment(left: last, right: end))
        for segment in route.segments {
            segments[slots[segment.left.slot].column].append(segment)
        }
        routes.append(route)
    }

    mutating func arrange(_ columns: [[Int]]) {
        self.columns = columns
    }

    /// Whether the slot is a passage for lines instead of a box.
    func isPassage(_ slot: Int) -> Bool { slots[slot].box == nil }

    /// The minimum space between two adjacent slots of a column.
    func gap(between upper: Int, and lower: Int) -> Int {
        switch (isPassage(upper), isPassage(lower)) {
        case (false, false): Spacing.boxes
        case (true, true): Spacing.lines
        case (true, false), (false, true): Spacing.boxAndLine
        }
    }
}

private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
}
