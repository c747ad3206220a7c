/// Marks of unfinished work, which stand in comments and so are looked for in the whole text.
func unfinishedFindings(in text: SourceText) -> [Finding] {
    let marks: Set<Substring> = ["TODO", "FIXME", "XXX", "HACK"]
    return text.lines.enumerated().compactMap { index, line in
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        guard let mark = words.first(where: marks.contains) else { return nil }
        return text.finding(line: index + 1, "finish what '\(mark)' announces, or leave it out")
    }
}

/// Types and functions at the top level that other modules see and that have no doc comment, and
/// public members without one. Members that are not public may go without: what would only repeat
/// a name is better left out.
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
