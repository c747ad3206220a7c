/// A new random UUID in lower case.
///
/// Foundation reads random bytes from a file, and returns the same UUID each time in a process that
/// cannot open more files.
package func freshGuid() -> String {
    var random = SystemRandomNumberGenerator()
    let high = random.next() & ~0xF000 | 0x4000
    let low = random.next() & (.max >> 2) | 1 << 63
    let digits = [high, low].map { number in
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }.joined(separator: "-")
}
