import DefinitionModel

/// Reads a time in the form in which clients write them, `2026-11-21T05:58:23.176Z`, with or
/// without a fraction. In milliseconds since 1970; nil for other forms.
func parseDateMilliseconds(_ text: String) -> Int64? {
    guard text.contains("T"), let instant = WrittenInstant(text) else { return nil }
    return instant.firstMilliseconds
}
