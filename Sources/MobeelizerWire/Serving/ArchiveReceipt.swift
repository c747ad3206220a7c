import Archives

/// Takes the archive out of a body of several parts, of which one is named `file`, and puts it
/// into a file.
actor ArchiveReceipt {
    private static let partName = "file"

    private var reader: MultipartReader
    private let file: SystemFile
    private let maxBytes: Int
    private var bytes: Int64 = 0
    private var isInPart = false
    private var hasPart = false

    /// - Parameter contentType: the request's header.
    init(contentType: String, file path: String, maxBytes: Int) throws {
        reader = try MultipartReader(contentType: contentType)
        file = try SystemFile(creating: path)
        self.maxBytes = maxBytes
    }

    func take(_ piece: [UInt8]) async throws {
        var events: [MultipartEvent] = []
        try reader.consume(piece, into: &events)
        for event in events { try await take(event) }
    }

    /// To be called when the body has ended.
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
        case .bytes(let piece):
            guard isInPart else { return }
            let offset = bytes
            bytes += Int64(piece.count)
            guard bytes <= maxBytes else {
                throw WireRefusal.rejected("the archive has more than \(maxBytes) bytes")
            }
            let (file, piece) = (file, Array(piece))
            try await onDisk { try file.write(piece, at: offset) }
        case .partEnded: isInPart = false
        case .ended: return
        }
    }
}
