package import SyncEngine

/// Bytes in the blob store that are no contents yet.
package struct StagedContents: Sendable {
    package let contents: ContentHash
    /// In bytes.
    package let size: Int64
    fileprivate let upload: String
}

/// Contents that no file has: data that was refused.
extension FileEngine {
    /// Writes bytes to the blob store under an unused id. Then record that they are needed, and
    /// call `keep`; otherwise call `discard`.
    ///
    /// - Parameter read: Returns up to `count` bytes from an offset; none only at the end.
    package func stage(
        as upload: String,
        reading read: (_ count: Int, _ offset: Int64) async throws -> [UInt8]
    ) async throws -> StagedContents {
        let file = try await engine.reading { () async throws(StoreError) in
            try await blobs.open(upload: upload)
        }
        var size: Int64 = 0
        while case let bytes = try await read(Self.stagedAtATime, size), !bytes.isEmpty {
            let isAdded = try await engine.reading { () async throws(StoreError) in
                try await file.append(bytes)
            }
            guard isAdded else { throw SyncError.file(.overtaken) }
            size += Int64(bytes.count)
        }
        let contents = try await engine.reading { () async throws(StoreError) in
            try await file.contents()
        }
        return StagedContents(contents: contents, size: size, upload: upload)
    }

    /// Makes the bytes contents. A record must name them by then, or the next sweep removes them.
    package func keep(_ staged: StagedContents) async throws(SyncError) {
        let kept: Void? = try await engine.reading { () async throws(StoreError) in
            try await blobs.commitUpload(upload: staged.upload, as: staged.contents) {
                () async throws(StoreError) in
            }
        }
        guard kept != nil else { throw .store(.failed("the bytes of refused data are gone")) }
    }

    package func discard(_ staged: StagedContents) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await blobs.discard(upload: staged.upload)
        }
    }

    private static let stagedAtATime = 1 << 18
}
