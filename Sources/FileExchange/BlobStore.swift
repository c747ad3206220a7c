package import SyncEngine

/// The storage for the contents of files.
///
/// Contents are stored once per hash, and appear under it only when they are complete and durable.
/// Uploads are stored separately, by their ids.
package protocol BlobStore: Sendable {
    /// Returns the number of bytes received; 0 for an unknown upload.
    func received(of upload: String) async throws(StoreError) -> Int64

    /// Opens an upload to continue it, or creates it.
    func open(upload: String) async throws(StoreError) -> any PartialFile

    /// Discards an upload; does nothing if there is none.
    func discard(upload: String) async throws(StoreError)

    /// Opens contents for reading. Returns nil if they are missing or incomplete.
    func open(
        _ contents: ContentHash, size: Int64
    ) async throws(StoreError) -> (any WholeFile)?

    /// Moves an upload to the contents, then calls `noting` to record it. The contents are not
    /// purged in between. If `noting` fails, the upload stays as it was. Returns nil if the upload
    /// no longer exists.
    func commitUpload<Value: Sendable>(
        upload: String, as contents: ContentHash,
        noting: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value?

    /// Keeps all contents where they are until the hold is released: no sweep removes any
    /// meanwhile. For the copy of a snapshot, whose rows may name contents that nobody needs any
    /// more.
    func holdContents() async throws(StoreError) -> any StoreHold

    /// Removes uploads without an addition since `moment`, and those that are not expected and have
    /// had none for an hour: copies and refused data are written without being expected. `held`
    /// returns the uploads that are still expected. Returns the number removed.
    func sweepUploads(
        untouchedSince moment: Instant,
        held: @Sendable (Set<String>) async throws(StoreError) -> Set<String>
    ) async throws(StoreError) -> Int

    /// Removes contents that no file uses, unless somebody holds them. `held` returns the contents
    /// that are in use. Contents that are completed meanwhile stay. Returns the number removed.
    func sweepContents(
        held: @Sendable (Set<ContentHash>) async throws(StoreError) -> Set<ContentHash>
    ) async throws(StoreError) -> Int
}

/// An open upload. Several callers may have it open, but only one at a time can append.
package protocol PartialFile: Sendable {
    /// Number of bytes received, as known to this value.
    var received: Int64 { get async }

    /// Appends bytes. Returns false, without appending, if another caller has appended since this
    /// one opened the upload.
    func append(_ bytes: [UInt8]) async throws(StoreError) -> Bool

    /// Makes all received bytes durable.
    func synchronize() async throws(StoreError)

    /// Returns the hash of all received bytes.
    func contents() async throws(StoreError) -> ContentHash
}

/// Contents open for reading. They stay readable even if they are purged meanwhile.
package protocol WholeFile: Sendable {
    /// Reads `count` bytes; fewer only at the end.
    func read(_ count: Int, at offset: Int64) async throws(StoreError) -> [UInt8]
}

extension BlobStore {
    /// The time after which a sweep removes an upload that is not expected.
    package static var unexpectedMilliseconds: Int64 { 3_600_000 }
}
