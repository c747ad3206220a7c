/// Words that begin a sentence such as "Who is cancelled is not served" or "Of two, the first
/// counts". A subject, a verb and an object say the same more directly.
private let openers: Set<Substring> = ["Of", "Who", "What", "Whose", "Whoever", "Whatever"]

/// Sentences in comments that begin with a substitute for a subject, in Swift and in JavaScript.
func subjectFindings(in lines: [Substring], of path: String) -> [Finding] {
    lines.enumerated().compactMap { index, line in
        guard let comment = comment(in: line) else { return nil }
        let sentences = comment.split(separator: /[.:;] +/)
        let opener = sentences.compactMap { sentence in
            let word = sentence.drop { !$0.isLetter }.prefix { $0.isLetter }
            return openers.contains(word) ? word : nil
        }.first
        return opener.map {
            Finding(path: path, line: index + 1, advice: "say who does what in place of '\($0)'")
        }
    }
}

/// The text after the mark of a comment that has a line to itself.
private func comment(in line: Substring) -> Substring? {
    let text = line.drop { $0 == " " }
    guard let mark = ["//", "/*", "* "].first(where: { text.hasPrefix($0) }) else { return nil }
    return text.dropFirst(mark.count)
}
