import DefinitionModel

/// The first positions in an order: up to one page, and one more to tell whether more follow.
struct SortedPage: Sendable {
    private let order: SearchOrder
    private let limit: Int
    /// At most one more than the page's limit once sorted.
    private var positions: [Position] = []
    /// Positions that do not come before it are ignored.
    private var bound: Position?
    private var isInOrder = true

    init(order: SearchOrder, limit: Int) {
        self.order = order
        self.limit = limit
    }

    /// Adds the next of positions that arrive in order.
    mutating func append(_ position: Position) { positions.append(position) }

    /// Adds one of positions that arrive in any order. Keeps at most two pages in memory.
    mutating func sift(_ position: Position) {
        if let bound, !order.isOrdered(position, before: bound) { return }
        isInOrder = false
        positions.append(position)
        guard positions.count >= 2 * (limit + 1) else { return }
        positions.sort(by: order.isOrdered)
        positions.removeSubrange((limit + 1)...)
        bound = positions.last
    }

    /// Whether the page is full of positions before a record with these keys, whatever its guid.
    func isFull(before keys: [FieldValue?], created: Int64) -> Bool {
        bound.map { order.isOrdered($0, before: keys, created: created) } ?? false
    }

    var isOverfull: Bool { positions.count > limit }

    var first: [Position] {
        Array((isInOrder ? positions : positions.sorted(by: order.isOrdered)).prefix(limit))
    }
}
