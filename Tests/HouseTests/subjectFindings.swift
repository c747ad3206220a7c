/// Words that begin a sentence such as "Who is cancelled is not served" or "Of two, the first
/// counts". A subject, a verb and an object say the same more directly.
private let openers: Set<Substring> = ["Of", "Who", "What", "Whose", "Whoever", "Whatever"]

/// Sentences in comments that begin with a substitute for a subject, in Swift and in JavaScript; in
/// scripts, whose comments begin with `#`.
func subjectFindings(
    in lines: [Substring], of path: String, marks: [String] = ["//", "/*", "* "]
) -> [Finding] {
    lines.enumerated().compactMap { index, line in
        guard let comment = comment(in: line, after: marks), let opener = opener(in: comment)
        else { return nil }
        return finding(opener, at: index, of: path)
    }
}

/// The same in the prose of a Markdown page: not in code, headings, tables and titles of links.
func proseFindings(in lines: [Substring], of path: String) -> [Finding] {
    var isCode = false
    return lines.enumerated().compactMap { index, line in
        if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
        guard !isCode, !line.hasPrefix("#"), !line.hasPrefix("|"), let opener = opener(in: line)
        else { return nil }
        return finding(opener, at: index, of: path)
    }
}

/// The same in the help of settings, which is the last cell of the rows of their table.
func helpFindings(in lines: [Substring], of path: String) -> [Finding] {
    lines.enumerated().compactMap { index, line in
        guard line.hasPrefix("| `"), let help = line.split(separator: "|").last,
            let opener = opener(in: help)
        else { return nil }
        return finding(opener, at: index, of: path)
    }
}

private func finding(_ opener: Substring, at index: Int, of path: String) -> Finding {
    Finding(path: path, line: index + 1, advice: "say who does what in place of '\(opener)'")
}

/// The first such word at the start of a sentence. A title of a page, as `[What was tried where]`,
/// and a question, as `*Who may read it?*`, are no sentences that say something.
private func opener(in text: Substring) -> Substring? {
    text.split(separator: /[.:;] +/).compactMap { sentence in
        let start = sentence.prefix { !$0.isLetter }
        let word = sentence.dropFirst(start.count).prefix { $0.isLetter }
        return openers.contains(word) && !start.hasSuffix("[") && !start.hasSuffix("*") ? word : nil
    }.first
}

/// The text after the mark of a comment that has a line to itself.
private func comment(in line: Substring, after marks: [String]) -> Substring? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let mark = marks.first(where: { text.hasPrefix($0) }) else { return nil }
    return text.dropFirst(mark.count)
}
