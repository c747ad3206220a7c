/// "'a'", "'a' and 'b'", "'a', 'b' and 'c'".
func inWords(_ names: [String], joinedBy word: String = "and") -> String {
    listed(names.map { "'\($0)'" }, joinedBy: word)
}

/// The same of what needs no quotes.
func listed(_ parts: [String], joinedBy word: String = "and") -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return parts.dropLast().joined(separator: ", ") + " \(word) " + last
}
