import SyncEngine

/// Tells those who count memory and time what a search reads and keeps.
///
/// Only what the asker sees counts as memory: a refusal would tell how large something else is, or
/// that it exists. The records that are read at a time are not counted: they are few, see
/// `BatchSize`.
final class SearchMemory {
    private let memory: (any ReadMemory)?
    private let watch: (any SearchWatch)?
    private var taken = 0

    init(_ memory: (any ReadMemory)?, _ watch: (any SearchWatch)?) {
        self.memory = memory
        self.watch = watch
    }

    /// Whether so many bytes count. Most searches need less.
    func counts(_ bytes: Int) -> Bool { bytes > memory?.uncountedBytes ?? .max }

    /// Notes how much is kept that the asker sees. Throws `memoryFull` if there is no room for it.
    func hold(_ bytes: Int) throws(StoreError) {
        guard let memory else { return }
        let counted = min(max(0, bytes - memory.uncountedBytes), memory.mostBytes)
        if counted > taken {
            try memory.take(counted - taken)
        } else {
            memory.give(taken - counted)
        }
        taken = counted
    }

    /// Notes a read of so many bytes. Throws if the search is of no use any more.
    func note(reading bytes: Int) throws(StoreError) { try watch?.goOn(afterReading: bytes) }

    deinit { memory?.give(taken) }
}
