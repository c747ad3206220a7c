/// A path of straight and curved segments.
package struct Curve: Hashable, Sendable {
    package let start: Point
    package private(set) var pieces: [Piece] = []

    package enum Piece: Hashable, Sendable {
        case straight(to: Point)
        /// A cubic Bézier curve.
        case bent(Point, Point, to: Point)

        package var end: Point {
            switch self {
            case .straight(let end): end
            case .bent(_, _, let end): end
            }
        }
    }

    init(from start: Point) {
        self.start = start
    }

    package var end: Point { pieces.last?.end ?? start }

    mutating func goStraight(to point: Point) {
        if point != end { pieces.append(.straight(to: point)) }
    }

    /// Leaves and arrives horizontally, and stays between the columns of the two points.
    mutating func swing(to point: Point) {
        let middle = (end.x + point.x) / 2
        guard end.y != point.y else { return goStraight(to: point) }
        pieces.append(.bent(Point(x: middle, y: end.y), Point(x: middle, y: point.y), to: point))
    }

    /// Leads out to a column and back.
    mutating func loop(by x: Int, to point: Point) {
        pieces.append(.bent(Point(x: x, y: end.y), Point(x: x, y: point.y), to: point))
    }

    func moved(by offset: Point) -> Curve {
        var moved = Curve(from: start.moved(by: offset))
        moved.pieces = pieces.map { piece in
            switch piece {
            case .straight(let end): .straight(to: end.moved(by: offset))
            case .bent(let first, let second, let end):
                .bent(
                    first.moved(by: offset), second.moved(by: offset), to: end.moved(by: offset))
            }
        }
        return moved
    }
}
