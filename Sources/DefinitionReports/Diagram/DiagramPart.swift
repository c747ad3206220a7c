/// The layout of one connected component, with its upper left corner at (0, 0).
struct DiagramPart {
    /// In the order of the graph's boxes.
    let frames: [Frame]
    /// In the order of the graph's links, from the source's row to the edge of the target's head.
    let curves: [Curve]
    let width: Int
    let height: Int

    /// Sugiyama's method: remove cycles, assign layers, reduce crossings, assign coordinates.
    init(_ graph: Graph) {
        let columns = columns(of: graph)
        var layers = LayerGraph(graph, columns: columns)
        layers.arrange(reduceCrossings(layers))
        let tops = assignCoordinates(layers)
        let ranges = horizontalRanges(of: layers, boxes: graph.boxes, tops: tops)
        let frames = graph.boxes.enumerated().map { index, box in
            let range = ranges[columns[index]]
            return Frame(
                x: range.lowerBound, y: tops[index], width: range.count, height: box.height)
        }
        let router = Router(layers: layers, tops: tops, ranges: ranges)
        self.frames = frames
        curves = layers.routes.map(router.curve)
        width = zip(frames, graph.boxes).map { $0.maxX + $1.loopWidth }.reduce(0, max)
        height = frames.map(\.maxY).reduce(tops.max() ?? 0, max)
    }
}

/// The left and right edge of each column, which is as wide as its widest box.
private func horizontalRanges(
    of layers: LayerGraph, boxes: [BoxSize], tops: [Int]
) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var x = 0
    for (index, column) in layers.columns.enumerated() {
        let boxes = column.compactMap { layers.slots[$0].box }.map { boxes[$0] }
        let width = boxes.map(\.width).reduce(0, max)
        ranges.append(x..<x + width)
        guard index < layers.segments.count else { break }
        x += width + boxes.map(\.loopWidth).reduce(0, max)
        x += channel(for: layers.segments[index], tops: tops)
    }
    return ranges
}

/// The width that the number of lines and the steepest of them need.
private func channel(for segments: [LayerGraph.Segment], tops: [Int]) -> Int {
    let rises = segments.map { segment in
        abs(tops[segment.left.slot] + segment.left.y - tops[segment.right.slot] - segment.right.y)
    }
    let wanted = max(Spacing.channel + 4 * segments.count, (rises.max() ?? 0) / 4)
    return min(wanted, 3 * Spacing.channel)
}

/// Routes lines through the channels between columns, which contain no boxes, and straight through
/// columns where the layer graph has a passage.
private struct Router {
    let layers: LayerGraph
    let tops: [Int]
    let ranges: [Range<Int>]

    func curve(of route: LayerGraph.Route) -> Curve {
        let points = route.segments.flatMap { segment in
            [
                Point(x: range(of: segment.left).upperBound, y: y(of: segment.left)),
                Point(x: range(of: segment.right).lowerBound, y: y(of: segment.right)),
            ]
        }
        let ordered = route.leadsLeft ? points.reversed() : points
        var curve = Curve(from: ordered.first ?? Point(x: 0, y: 0))
        for (index, point) in ordered.enumerated().dropFirst() {
            if index % 2 == 1 { curve.swing(to: point) } else { curve.goStraight(to: point) }
        }
        return curve
    }

    private func range(of port: LayerGraph.Port) -> Range<Int> {
        ranges[layers.slots[port.slot].column]
    }

    private func y(of port: LayerGraph.Port) -> Int { tops[port.slot] + port.y }
}
