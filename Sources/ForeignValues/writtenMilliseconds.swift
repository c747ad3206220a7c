import DefinitionModel

/// Reads a time as clients of Azure Mobile write it: with or without a fraction of a second, of
/// which milliseconds count, and with `Z`, an offset from UTC or neither, which is UTC. Nil for
/// anything else.
package func milliseconds(ofWritten text: String) -> Int64? {
    var (rest, offset) = (Substring(text), Int64(0))
    if rest.last == "Z" {
        rest.removeLast()
    } else if let zone = minutes(ofOffset: rest.suffix(6)), rest.contains("T") {
        offset = zone
        rest.removeLast(6)
    }
    if let point = rest.lastIndex(of: ".") {
        let fraction = rest[rest.index(after: point)...]
        guard !fraction.isEmpty, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        rest = rest[..<point] + "." + fraction.prefix(3)
    }
    let isDay = !rest.contains("T")
    guard rest.utf8.count >= 10, rest.contains("-"),
        let time = WrittenInstant(isDay ? String(rest) : "\(rest)Z")?.firstMilliseconds
    else { return nil }
    return time - offset * 60_000
}

/// The minutes of an offset such as `+01:30`, whose `+` may have become a blank.
private func minutes(ofOffset text: Substring) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
        let hours = Int64(String(decoding: bytes[1..<3], as: UTF8.self)), (0...14).contains(hours),
        let minutes = Int64(String(decoding: bytes[4..<6], as: UTF8.self)),
        (0..<60).contains(minutes)
    else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "+"), UInt8(ascii: " "): return hours * 60 + minutes
    case UInt8(ascii: "-"): return -(hours * 60 + minutes)
    case _: return nil
    }
}
