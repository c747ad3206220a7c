import SyncServer
import SystemFiles

/// Writes the part named `file` of a multipart body to a file.
actor ArchiveReceiver {
    private static let partName = "file"

    private var reader: MultipartReader
    private let file: SystemFile
    private let disk: DiskThreads
    private let maxBytes: Int
    private var bytes: Int64 = 0
    private var isInPart = false
    private var hasPart = false

    /// - Parameter contentType: The value of the request's `Content-Type` header.
    init(contentType: String, file path: String, on disk: DiskThreads, maxBytes: Int) throws {
        reader = try MultipartReader(contentType: contentType)
        file = try SystemFile(creating: path)
        self.disk = disk
        self.maxBytes = maxBytes
    }

    func take(_ chunk: [UInt8]) async throws {
        var events: [MultipartEvent] = []
        try reader.consume(chunk, into: &events)
        for event in events { try await take(event) }
    }

    /// Call this at the end of the body.
    func finish() throws {
        try reader.finish()
        guard hasPart else { throw WireRefusal.rejected("the body has no part named 'file'") }
    }

    private func take(_ event: MultipartEvent) async throws {
        switch event {
        case .partBegan(let part):
            isInPart = part.name == Self.partName
            guard isInPart else { return }
            guard !hasPart else {
                throw WireRefusal.rejected("the body has two parts named 'file'")
            }
            hasPart = true
        case .bytes(let chunk):
            guard isInPart else { return }
            let offset = bytes
            bytes += Int64(chunk.count)
            guard bytes <= maxBytes else {
                throw WireRefusal.rejected("the archive has more than \(maxBytes) bytes")
            }
            let (file, chunk) = (file, Array(chunk))
            try await disk.run { try file.write(chunk, at: offset) }
        case .partEnded: isInPart = false
        case .ended: return
        }
    }
}
