import SyncEngine

/// The stored texts that a search has in memory at a time.
final class SearchMemory {
    /// So many bytes are not counted: most searches need less.
    private static let uncountedBytes = 256 << 10

    private let memory: (any ReadMemory)?
    private var taken = 0

    init(_ memory: (any ReadMemory)?) { self.memory = memory }

    /// Notes how much is in memory now. Throws `memoryFull` if there is no room for it.
    func hold(_ bytes: Int) throws(StoreError) {
        guard let memory else { return }
        let counted = min(max(0, bytes - Self.uncountedBytes), memory.mostBytes)
        if counted > taken {
            try memory.take(counted - taken)
        } else {
            memory.give(taken - counted)
        }
        taken = counted
    }

    deinit { memory?.give(taken) }
}
