/// The parts as one phrase, such as "a", "a and b", "a, b and c".
package func listed(_ parts: [String], by conjunction: String = "and") -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return "\(parts.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// A number with its noun, such as "0 files", "1 file", "2 files".
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
