/// Counts the memory of a request's reads, whose users share what there is.
package protocol ReadMemory: Sendable {
    /// Makes room for stored texts. Call `give` afterwards, unless this throws `memoryFull`.
    func take(_ bytes: Int) throws(StoreError)

    func give(_ bytes: Int)

    /// The most that one read counts, so that it can be done at all.
    var mostBytes: Int { get }

    /// So many bytes of each search are not counted.
    var uncountedBytes: Int { get }
}

extension ReadMemory {
    /// Most searches keep less.
    package var uncountedBytes: Int { 256 << 10 }
}

/// The memory of the request that the current task answers. All searches of a request count there
/// what they keep, in whatever wire.
package enum RequestMemory {
    /// Nil if nobody counts.
    @TaskLocal package static var current: (any ReadMemory)?
}
