/// Where the contents of files lie, as the engine needs it.
///
/// Contents are kept once for each hash, and appear under it only when they are whole and would
/// outlast a loss of power. What is on its way lies elsewhere, under the name of its upload.
package protocol Vault: Sendable {
    /// How many bytes of an upload are there; 0 where nothing is.
    func received(of upload: String) async throws(StoreError) -> Int64

    /// Opens an upload to be gone on with, or makes it.
    func open(upload: String) async throws(StoreError) -> any PartialFile

    /// Forgets what has come of an upload; nothing where there is none.
    func discard(upload: String) async throws(StoreError)

    /// Nil when they are not there, or not whole.
    func open(
        _ contents: ContentHash, size: Int64
    ) async throws(StoreError) -> (any WholeFile)?

    /// Puts what has come of an upload among the contents, and then lets it be noted that they are
    /// there. Nobody sweeps them away in between. When the noting fails the upload stays as it was.
    /// Nil when there is no such upload any more.
    func shelve<Value: Sendable>(
        upload: String, as contents: ContentHash,
        noting: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value?

    /// Removes uploads that nobody waits for any more, and those that nothing was added to since a
    /// moment. `held` says which of some are waited for. Gives how many it removed.
    func sweepUploads(
        untouchedSince moment: Instant,
        held: @Sendable (Set<String>) async throws(StoreError) -> Set<String>
    ) async throws(StoreError) -> Int

    /// Removes contents that no file has. `held` says which of some are had; while it is asked and
    /// until they are removed, none are put among the contents. Gives how many it removed.
    func sweepContents(
        held: @Sendable (Set<ContentHash>) async throws(StoreError) -> Set<ContentHash>
    ) async throws(StoreError) -> Int
}

/// An upload that is being gone on with. Several may have it open; only one at a time gets on.
package protocol PartialFile: Sendable {
    /// Bytes that are there, of which this one knows.
    var received: Int64 { get async }

    /// False when another one has added to it since it was opened here. Then nothing is added.
    func append(_ bytes: [UInt8]) async throws(StoreError) -> Bool

    /// When it returns, what has come would outlast a loss of power.
    func synchronize() async throws(StoreError)

    /// Of everything that has come.
    func contents() async throws(StoreError) -> ContentHash
}

/// Contents that are being read. They can be read to their end even if they are swept away
/// meanwhile.
package protocol WholeFile: Sendable {
    /// Fewer bytes only at the end.
    func read(_ count: Int, at offset: Int64) async throws(StoreError) -> [UInt8]
}
