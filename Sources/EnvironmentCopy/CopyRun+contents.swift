import FileExchange
import SyncEngine

extension CopyRun {
    /// Copies the contents of every complete file and of refused data. Partial uploads are not
    /// copied: their clients query the received length, and start again.
    func copyContents(
        of origin: EnvironmentID, _ report: inout CopyReport
    ) async throws(CopyError) {
        for table in [EnvironmentTable.files, .refusals] {
            var pages = self.pages(of: table, in: origin)
            while let page = try await pages.next() {
                for file in page.rows.compactMap({ CompleteFile($0, of: table) }) {
                    try await copy(file, &report)
                    progress(.copiedContents(files: report.files))
                }
            }
        }
    }

    private func copy(
        _ file: CompleteFile, _ report: inout CopyReport
    ) async throws(CopyError) {
        let isThere = try await writing { () async throws(StoreError) in
            try await targetContents.open(file.contents, size: file.size) != nil
        }
        if isThere {
            report.files += 1
        } else if try await transfer(file) {
            report.files += 1
            report.writtenFiles += 1
        } else {
            report.filesWithoutContents.append(file.guid)
        }
    }

    /// Returns false if the source does not have the recorded contents.
    private func transfer(_ file: CompleteFile) async throws(CopyError) -> Bool {
        let found = try await reading { () async throws(StoreError) in
            try await contents.open(file.contents, size: file.size)
        }
        guard let found else { return false }
        // A sweep of the target does not know this upload, and may remove it once.
        for _ in 0..<3 {
            let upload = try await write(found, of: file)
            guard try await hash(of: upload) == file.contents else {
                try await discard(file.upload)
                return false
            }
            let isShelved: Void? = try await writing { () async throws(StoreError) in
                try await targetContents.commitUpload(upload: file.upload, as: file.contents) {
                    () async throws(StoreError) in
                }
            }
            if isShelved != nil { return true }
        }
        throw .target(.failed("what was copied of a file was taken away again and again"))
    }

    /// Starts over: the remains of an earlier copy may be incomplete or damaged.
    private func write(
        _ found: any WholeFile, of file: CompleteFile
    ) async throws(CopyError) -> any PartialFile {
        try await discard(file.upload)
        let upload = try await writing { () async throws(StoreError) in
            try await targetContents.open(upload: file.upload)
        }
        var offset: Int64 = 0
        while offset < file.size {
            guard !Task.isCancelled else { throw .source(.cancelled) }
            let start = offset
            let bytes = try await reading { () async throws(StoreError) in
                try await found.read(Self.bytesAtATime, at: start)
            }
            guard !bytes.isEmpty else { break }
            let isTaken = try await writing { () async throws(StoreError) in
                try await upload.append(bytes)
            }
            guard isTaken else {
                throw .target(.failed("another copy writes the same file at this moment"))
            }
            offset += Int64(bytes.count)
        }
        return upload
    }

    private func hash(of upload: any PartialFile) async throws(CopyError) -> ContentHash {
        try await writing { () async throws(StoreError) in
            try await upload.synchronize()
            return try await upload.contents()
        }
    }

    private func discard(_ upload: String) async throws(CopyError) {
        try await writing { () async throws(StoreError) in
            try await targetContents.discard(upload: upload)
        }
    }

    private static let bytesAtATime = 1 << 18
}

extension CompleteFile {
    /// Identifies the upload in the target across interrupted copies.
    fileprivate var upload: String { "copy-\(contents.hex)" }
}
