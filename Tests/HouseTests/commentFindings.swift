/// Marks of unfinished work, searched for in the whole text because they stand in comments.
func unfinishedFindings(in text: SourceText) -> [Finding] {
    let marks: Set<Substring> = ["TODO", "FIXME", "XXX", "HACK"]
    return text.lines.enumerated().compactMap { index, line in
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        guard let mark = words.first(where: marks.contains) else { return nil }
        return text.finding(line: index + 1, "finish what '\(mark)' announces, or leave it out")
    }
}

/// Top-level types and functions that are visible to other modules and have no doc comment. Members
/// are exempt: a comment that repeats the name is worse than none.
func undocumentedFindings(in text: SourceText) throws -> [Finding] {
    let pattern =
        #"^(?:package|public) +(?:(?:final|indirect|nonisolated) +)*"#
        + #"(?:struct|enum|class|actor|protocol|typealias|func) +([^\s(<:{]+)"#
    return try text.matches(of: pattern).filter { !isDocumented($0.line, of: text) }.map {
        text.finding(line: $0.line, "say what '\($0.groups[1])' promises, in a '///' comment")
    }
}

/// Attributes may stand between a declaration and its comment.
private func isDocumented(_ line: Int, of text: SourceText) -> Bool {
    let next = text.lines[..<(line - 1)].last { !$0.hasPrefix("@") }
    return next?.hasPrefix("///") ?? false
}
