/// Boxes that hang together, laid out with their lines from (0, 0).
struct DiagramPart {
    /// In the order of the graph's boxes.
    let frames: [Frame]
    /// In the order of the graph's links, from the source's row to the edge of the target's head.
    let curves: [Curve]
    let width: Int
    let height: Int

    /// The way of Sugiyama: no rings, then columns, few crossings, level lines.
    init(_ graph: Graph) {
        let columns = columns(of: graph)
        var lattice = Lattice(graph, columns: columns)
        lattice.arrange(untangled(lattice))
        let tops = levelled(lattice)
        let ranges = horizontalRanges(of: lattice, boxes: graph.boxes, tops: tops)
        let frames = graph.boxes.enumerated().map { index, box in
            let range = ranges[columns[index]]
            return Frame(
                x: range.lowerBound, y: tops[index], width: range.count, height: box.height)
        }
        let router = Router(lattice: lattice, tops: tops, ranges: ranges)
        self.frames = frames
        curves = lattice.ways.map(router.curve)
        width = zip(frames, graph.boxes).map { $0.maxX + $1.loopWidth }.reduce(0, max)
        height = frames.map(\.maxY).reduce(tops.max() ?? 0, max)
    }
}

/// From the left to the right edge of each column. All boxes of a column are as wide as its widest.
private func horizontalRanges(
    of lattice: Lattice, boxes: [BoxSize], tops: [Int]
) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var x = 0
    for (index, column) in lattice.columns.enumerated() {
        let boxes = column.compactMap { lattice.slots[$0].box }.map { boxes[$0] }
        let width = boxes.map(\.width).reduce(0, max)
        ranges.append(x..<x + width)
        guard index < lattice.segments.count else { break }
        x += width + boxes.map(\.loopWidth).reduce(0, max)
        x += channel(for: lattice.segments[index], tops: tops)
    }
    return ranges
}

/// Wide enough for so many lines, and for the steepest of them.
private func channel(for segments: [Lattice.Segment], tops: [Int]) -> Int {
    let rises = segments.map { segment in
        abs(tops[segment.left.slot] + segment.left.y - tops[segment.right.slot] - segment.right.y)
    }
    let wanted = max(Spacing.channel + 4 * segments.count, (rises.max() ?? 0) / 4)
    return min(wanted, 3 * Spacing.channel)
}

/// Leads lines through the channels between the columns, where there is no box, and straight
/// through columns where the lattice keeps a place for them.
private struct Router {
    let lattice: Lattice
    let tops: [Int]
    let ranges: [Range<Int>]

    func curve(of way: Lattice.Way) -> Curve {
        let points = way.segments.flatMap { segment in
            [
                Point(x: range(of: segment.left).upperBound, y: y(of: segment.left)),
                Point(x: range(of: segment.right).lowerBound, y: y(of: segment.right)),
            ]
        }
        let ordered = way.leadsLeft ? points.reversed() : points
        var curve = Curve(from: ordered.first ?? Point(x: 0, y: 0))
        for (index, point) in ordered.enumerated().dropFirst() {
            if index % 2 == 1 { curve.swing(to: point) } else { curve.goStraight(to: point) }
        }
        return curve
    }

    private func range(of port: Lattice.Port) -> Range<Int> {
        ranges[lattice.slots[port.slot].column]
    }

    private func y(of port: Lattice.Port) -> Int { tops[port.slot] + port.y }
}
