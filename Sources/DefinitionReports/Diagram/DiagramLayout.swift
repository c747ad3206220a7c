/// The layout of the page: connected components in rows, and below them a grid of the boxes without
/// links.
struct DiagramLayout {
    /// In the order of the graph's boxes.
    private(set) var frames: [Frame]
    /// In the order of the graph's links.
    private(set) var curves: [Curve]
    private(set) var width = 0
    private(set) var height = 0

    init(_ graph: Graph) {
        frames = graph.boxes.map { Frame(x: 0, y: 0, width: $0.width, height: $0.height) }
        curves = graph.links.map { _ in Curve(from: Point(x: 0, y: 0)) }
        let components = graph.components
        let parts = components.filter { $0.count > 1 }.map { members in
            (members: members, part: DiagramPart(graph.subgraph(members)))
        }
        let singles = components.filter { $0.count == 1 }.flatMap { $0 }
        let grid = Grid(singles.map { graph.boxes[$0] })
        let areas = parts.map { $0.part.width * $0.part.height } + [grid.area]
        let pageWidth = max(
            parts.map(\.part.width).max() ?? 0,
            Int((Double(areas.reduce(0, +)) * pageShape).squareRoot()))
        put(parts, in: graph, pageWidth: pageWidth)
        put(grid.frames(pageWidth: pageWidth), of: singles, in: graph)
    }

    /// Places the largest part first, in rows.
    private mutating func put(
        _ parts: [(members: [Int], part: DiagramPart)], in graph: Graph, pageWidth: Int
    ) {
        let bySize = parts.enumerated().sorted {
            ($1.element.part.height, $0.offset) < ($0.element.part.height, $1.offset)
        }
        var x = 0
        var y = 0
        for (members, part) in bySize.map(\.element) {
            if x > 0, x + part.width > pageWidth {
                x = 0
                y = height + Spacing.parts
            }
            put(part, of: members, in: graph, at: Point(x: x, y: y))
            x += part.width + Spacing.parts
        }
    }

    private mutating func put(
        _ part: DiagramPart, of members: [Int], in graph: Graph, at origin: Point
    ) {
        for (member, frame) in zip(members, part.frames) {
            frames[member] = frame.moved(by: origin)
        }
        let known = Set(members)
        let links = graph.links.indices.filter { known.contains(graph.links[$0].source) }
        for (link, curve) in zip(links, part.curves) { curves[link] = curve.moved(by: origin) }
        width = max(width, origin.x + part.width)
        height = max(height, origin.y + part.height)
    }

    private mutating func put(_ gridFrames: [Frame], of singles: [Int], in graph: Graph) {
        let y = height == 0 ? 0 : height + Spacing.parts
        for (single, frame) in zip(singles, gridFrames) {
            frames[single] = frame.moved(by: Point(x: 0, y: y))
            width = max(width, frame.maxX + graph.boxes[single].loopWidth)
            height = max(height, y + frame.maxY)
        }
    }
}

/// The aspect ratio of a page, width by height.
private let pageShape = 1.5

/// A grid with cells as wide as the widest box.
private struct Grid {
    let boxes: [BoxSize]
    private let width: Int
    private let step: Int

    init(_ boxes: [BoxSize]) {
        self.boxes = boxes
        width = boxes.map(\.width).max() ?? 0
        step = width + (boxes.map(\.loopWidth).max() ?? 0) + Spacing.boxes
    }

    var area: Int { boxes.reduce(0) { $0 + step * ($1.height + Spacing.boxes) } }

    func frames(pageWidth: Int) -> [Frame] {
        let perRow = max(1, (pageWidth + Spacing.boxes) / max(1, step))
        var y = 0
        return stride(from: 0, to: boxes.count, by: perRow).flatMap { start in
            let row = boxes[start..<min(start + perRow, boxes.count)]
            defer { y += (row.map(\.height).max() ?? 0) + Spacing.boxes }
            return row.enumerated().map { index, box in
                Frame(x: index * step, y: y, width: width, height: box.height)
            }
        }
    }
}
