import Hashing

/// A new random UUID in lower case.
///
/// Foundation reads random bytes from a file, and returns the same UUID each time in a process that
/// cannot open more files.
package func freshGuid() -> String {
    var random = SystemRandomNumberGenerator()
    return guid(random.next(), random.next())
}

/// A guid that follows from a hash: the same for the same one. It uses the first 16 bytes.
package func guid(ofHash hash: [UInt8]) -> String {
    let numbers = [hash.prefix(8), hash.dropFirst(8).prefix(8)].map { bytes in
        bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return guid(numbers[0], numbers[1])
}

/// In the form of version 4, whose bits of version and variant replace those of the numbers.
private func guid(_ first: UInt64, _ second: UInt64) -> String {
    let high = first & ~0xF000 | 0x4000
    let low = second & (.max >> 2) | 1 << 63
    let digits = hexadecimal(
        [high, low].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        })
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }.joined(separator: "-")
}
