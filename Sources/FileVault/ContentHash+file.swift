import Hashing
package import SyncEngine
package import SystemFiles

extension ContentHash {
    private static let bytesAtATime = 1 << 18

    /// The hash of the bytes of a file that lies anywhere; nil unless the file has the size.
    package init?(ofFile path: String, size: Int64) throws(SystemFileError) {
        let file = try SystemFile(reading: path)
        guard try file.size() == size else { return nil }
        var hash = SHA256()
        var offset: Int64 = 0
        while offset < size {
            let bytes = try file.bytes(
                Int(min(Int64(Self.bytesAtATime), size - offset)), at: offset)
            guard !bytes.isEmpty else { return nil }
            hash.update(bytes)
            offset += Int64(bytes.count)
        }
        self.init(hash.finalize())
    }
}
