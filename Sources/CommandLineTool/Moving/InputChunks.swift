import SystemPackage

/// A file or standard input, read chunk by chunk.
struct InputChunks {
    private let path: String
    private let file: FileDescriptor
    private static let chunkBytes = 64 << 10

    /// `-` is standard input.
    init(path: String) throws(ToolFailure) {
        self.path = path
        do {
            file = try path == "-" ? .standardInput : FileDescriptor.open(path, .readOnly)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Returns nil at the end, and closes the file then.
    func next() throws(ToolFailure) -> [UInt8]? {
        do {
            let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) {
                buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard chunk.isEmpty else { return chunk }
            if path != "-" { try file.close() }
            return nil
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> ToolFailure {
        ToolFailure(
            .inputAtFault, "'\(path)' cannot be read: \(Disk.reason(error))",
            help: "name a file that exists and that you may read")
    }
}
