import DefinitionModel

/// Reads a time as clients of Parse write it, in milliseconds since 1970; nil for other forms.
///
/// It is a form of ISO 8601 such as `2026-11-21T05:58:23.176Z`, with or without seconds and a
/// fraction, of which three digits count. In place of `Z` it may end with an offset such as
/// `+01:00`, or with nothing, as the clients for Python and Dart write a time in UTC.
package func parseDateMilliseconds(_ text: String) -> Int64? {
    guard let separator = text.firstIndex(of: "T") else { return nil }
    var time = text[text.index(after: separator)...]
    let offset: Int64
    if time.last == "Z" {
        time.removeLast()
        offset = 0
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
        guard let minutes = offsetMinutes(time[sign...]) else { return nil }
        offset = minutes * 60_000
        time = time[..<sign]
    } else {
        offset = 0
    }
    if let point = time.firstIndex(of: ".") {
        let digits = time[time.index(after: point)...]
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        time = time[..<point] + "." + digits.prefix(3)
    }
    return WrittenInstant("\(text[..<separator])T\(time)Z").map { $0.firstMilliseconds - offset }
}

/// The minutes of `+hh:mm`, `+hhmm` or `+hh`; nil for other texts.
private func offsetMinutes(_ text: Substring) -> Int64? {
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, text.count <= 6,
        let hours = Int64(strict: String(digits.prefix(2))), hours < 24,
        let minutes = digits.count == 2 ? 0 : Int64(strict: String(digits.suffix(2))), minutes < 60
    else { return nil }
    return (text.first == "-" ? -1 : 1) * (hours * 60 + minutes)
}
