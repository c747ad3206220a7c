/// The columns with all that is in them: boxes, and the places where lines pass between them. Lines
/// lead from a column to the next one only.
///
/// Lines to the same side of the same box share their way as soon as they meet.
struct Lattice {
    private(set) var slots: [Slot] = []
    /// Of slots, from top to bottom.
    private(set) var columns: [[Int]]
    /// From each column to the next.
    private(set) var segments: [[Segment]]
    /// For each link of the graph its segments from left to right, and whether the link leads left.
    private(set) var ways: [Way] = []

    struct Slot: Hashable {
        let column: Int
        /// Nil where a line passes.
        let box: Int?
        let height: Int
    }

    /// A point of a slot's left or right side.
    struct Port: Hashable {
        let slot: Int
        /// From the slot's top.
        let y: Int
    }

    struct Segment: Hashable {
        let left: Port
        let right: Port
    }

    struct Way {
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
        for link in graph.links { addWay(of: link, through: &passages) }
        segments = segments.map { unique($0) }
    }

    private mutating func add(_ slot: Slot) -> Int {
        slots.append(slot)
        columns[slot.column].append(slots.count - 1)
        return slots.count - 1
    }

    /// Where lines pass a column on their way to one side of a box.
    private struct Passage: Hashable {
        let target: Int
        let fromRight: Bool
        let column: Int
    }

    /// The first slots are the boxes, so a box has the same index as a slot.
    private mutating func addWay(of link: Graph.Link, through passages: inout [Passage: Int]) {
        let source = Port(slot: link.source, y: BoxSize.middle(ofRow: link.row))
        let target = Port(slot: link.target, y: BoxSize.middleOfHead)
        let leadsLeft = slots[link.target].column < slots[link.source].column
        let (start, end) = leadsLeft ? (target, source) : (source, target)
        var way = Way(leadsLeft: leadsLeft)
        var last = start
        for column in slots[start.slot].column + 1..<slots[end.slot].column {
            let passage = Passage(target: link.target, fromRight: leadsLeft, column: column)
            let slot = passages[passage] ?? add(Slot(column: column, box: nil, height: 0))
            passages[passage] = slot
            way.segments.append(Segment(left: last, right: Port(slot: slot, y: 0)))
            last = Port(slot: slot, y: 0)
        }
        way.segments.append(Segment(left: last, right: end))
        for segment in way.segments {
            segments[slots[segment.left.slot].column].append(segment)
        }
        ways.append(way)
    }

    mutating func arrange(_ columns: [[Int]]) {
        self.columns = columns
    }

    /// Whether it is a place where a line passes, and no box.
    func isPassage(_ slot: Int) -> Bool { slots[slot].box == nil }

    /// What is free between two slots below each other.
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
