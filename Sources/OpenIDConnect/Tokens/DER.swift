/// The few forms of ASN.1 in which libraries take keys and signatures (DER, X.690).
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap { $0 }) }

    /// A number from its bytes, most significant first.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        // A set first bit would make it negative.
        let isPositive = digits.first.map { $0 < 0x80 } ?? false
        return tagged(0x02, isPositive ? digits : [0] + digits)
    }

    static func bits(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

    private static func tagged(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 0x80 else { return [tag, UInt8(bytes.count)] + bytes }
        var (length, rest) = ([UInt8](), bytes.count)
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + bytes
    }
}
