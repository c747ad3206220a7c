import DefinitionModel

/// Reads a time as clients write it: with or without a fraction of a second, of which milliseconds
/// count, and with `Z`, an offset from UTC or neither, which is UTC. Nil for anything else.
func milliseconds(ofWritten text: String) -> Int64? {
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

/// Reads a time of day such as `12:30:00`, and returns it as clients write such values in rows:
/// with three digits of a fraction. Nil for anything else.
func timeOfDay(ofWritten text: String) -> String? {
    let time = "1970-01-01T\(text)"
    guard text.utf8.count >= 8, let milliseconds = milliseconds(ofWritten: time) else {
        return nil
    }
    return String(preciseInstant(milliseconds: milliseconds).dropFirst(11).dropLast())
}

/// Reads a time as the headers of HTTP have it: `Sat, 21 Nov 2026 06:00:10 GMT`. Nil for another
/// form.
func milliseconds(ofHeader text: String) -> Int64? {
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT",
        let month = months.firstIndex(of: String(words[2])), words[1].utf8.count == 2
    else { return nil }
    let number = (month < 9 ? "0" : "") + String(month + 1)
    return milliseconds(ofWritten: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
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
