/// SHA-256 of FIPS 180-4, for bytes that come piece by piece.
///
/// It is for tools that must build fast: no C library is compiled for it. A library with the
/// processor's own instructions takes a fraction of its time; hash large files with that.
package struct SHA256: Sendable {
    package static let byteCount = 32

    private var state = SHA256State()
    /// The bytes that do not yet fill a block.
    private var rest: [UInt8] = []
    private var total: UInt64 = 0

    package init() {
        rest.reserveCapacity(SHA256State.blockSize)
    }

    /// The same whatever the pieces are.
    package mutating func update(_ bytes: [UInt8]) {
        total &+= UInt64(bytes.count)
        bytes.withUnsafeBytes { add($0) }
    }

    /// The 32 bytes of the hash. More bytes may be added afterwards: it is of what came so far.
    package func finalize() -> [UInt8] {
        var last = self
        let bitCount = total &* 8
        let zeros = (2 * SHA256State.blockSize - 9 - rest.count) % SHA256State.blockSize
        last.update([0x80] + [UInt8](repeating: 0, count: zeros) + bigEndianBytes(of: bitCount))
        return last.state.bytes
    }

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let blockSize = SHA256State.blockSize
        var start = 0
        if !rest.isEmpty {
            start = min(blockSize - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<start])
            guard rest.count == blockSize else { return }
            rest.withUnsafeBytes { state.mix(blocksOf: $0) }
            rest.removeAll(keepingCapacity: true)
        }
        let end = start + (bytes.count - start) / blockSize * blockSize
        state.mix(blocksOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        rest.append(contentsOf: bytes[end...])
    }
}

private func bigEndianBytes(of number: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
