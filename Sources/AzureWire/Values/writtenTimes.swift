import DefinitionModel
import ForeignValues

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
