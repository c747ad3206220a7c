/// The first records of an order, as many as a page takes, and whether there is one more.
struct SortedPage: Sendable {
    private let order: SearchOrder
    private let limit: Int
    /// With one more than the page takes, if there was one.
    private var positions: [Position] = []
    /// Nothing that does not come before it is of any use.
    private var bound: Position?

    init(order: SearchOrder, limit: Int) {
        self.order = order
        self.limit = limit
    }

    /// The next one, of those that come in order.
    mutating func append(_ position: Position) { positions.append(position) }

    /// One of those that come in any order. Never holds more than two pages.
    mutating func sift(_ position: Position) {
        if let bound, !order.isOrdered(position, before: bound) { return }
        positions.append(position)
        guard positions.count >= 2 * (limit + 1) else { return }
        positions.sort(by: order.isOrdered)
        positions.removeSubrange((limit + 1)...)
        bound = positions.last
    }

    var isOverfull: Bool { positions.count > limit }

    var first: [Position] { Array(positions.sorted(by: order.isOrdered).prefix(limit)) }
}
