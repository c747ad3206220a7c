/// Such as "'a'", "'a' and 'b'", "'a', 'b' and 'c'".
func quotedList(_ names: [String], joinedBy word: String = "and") -> String {
    list(names.map { "'\($0)'" }, joinedBy: word)
}

/// The same without quotes.
func list(_ parts: [String], joinedBy word: String = "and") -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return parts.dropLast().joined(separator: ", ") + " \(word) " + last
}
