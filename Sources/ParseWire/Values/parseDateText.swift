import DefinitionModel

/// The one form in which times are sent: `2026-11-21T05:58:23.176Z`, always with three digits.
func parseDateText(milliseconds: Int64) -> String {
    let text = readableInstant(milliseconds: milliseconds)
    guard text.hasSuffix("Z"), !text.contains(".") else { return text }
    return text.dropLast() + ".000Z"
}

/// Milliseconds since 1970; nil for other forms.
func parseDateMilliseconds(_ text: String) -> Int64? {
    guard text.contains("T"), let instant = WrittenInstant(text) else { return nil }
    return instant.firstMilliseconds
}
