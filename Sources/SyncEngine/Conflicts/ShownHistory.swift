/// The part of a page of a history that was read so far.
struct ShownHistory {
    private(set) var views: [HistoryView] = []
    /// The number of the last entry, shown or not; nil before the newest one.
    private(set) var last: Int64?
    /// The number of entries that the page may still have, shown or not.
    private(set) var rest: Int
    private(set) var hasMore = true
    /// The size of the values that are shown.
    private var bytes = 0
    private let maxBytes: Int

    init(after last: Int64?, limit: Int, maxBytes: Int) {
        self.last = last
        rest = limit
        self.maxBytes = maxBytes
    }

    var isFull: Bool { rest == 0 || bytes >= maxBytes }

    /// Adds entries as `view` shows them, until the page is full.
    mutating func add(
        _ found: RecordHistory, view: (HistoryEntry) throws(StoreError) -> HistoryView?
    ) throws(StoreError) {
        for (entry, number) in zip(found.entries, found.numbers) {
            guard !isFull else { return }
            last = number
            rest -= 1
            guard let view = try view(entry) else { continue }
            views.append(view)
            bytes += (view.before ?? view.wanted).map { JSONText.text(of: $0).utf8.count } ?? 0
        }
        hasMore = found.hasMore
    }
}
