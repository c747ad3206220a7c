/// Marks of unfinished work, searched for in the whole text because they stand in comments.
func unfinishedFindings(in text: SourceText) -> [Finding] {
    let marks: Set<Substring> = ["TODO", "FIXME", "XXX", "HACK"]
    return text.lines.enumerated().compactMap { index, line in
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        guard let mark = words.first(where: marks.contains) else { return nil }
        return text.finding(line: index + 1, "finish what '\(mark)' announces, or leave it out")
    }
}

/// Types and functions at the top level that other modules see and that have no doc comment.
/// Members that only this package sees may go without; for the others see
/// `undocumentedPublicFindings`.
func undocumentedFindings(in text: SourceText) throws -> [Finding] {
    let pattern =
        #"^(?:package|public) +(?:(?:final|indirect|nonisolated) +)*"#
        + #"(?:struct|enum|class|actor|protocol|typealias|func) +([^\s(<:{]+)"#
    return try text.matches(of: pattern).filter { !isDocumented($0.line, of: text) }.map {
        text.finding(line: $0.line, "say what '\($0.groups[1])' promises, in a '///' comment")
    }
}

/// Public declarations without a doc comment, and cases of public enumerations and requirements of
/// public protocols without one.
func undocumentedPublicFindings(in text: SourceText) -> [Finding] {
    var depth = 0
    var bodies: [(depth: Int, members: Set<Substring>)] = []
    var opening: Set<Substring>?
    return text.codeLines.enumerated().compactMap { index, line in
        let code = line.drop { $0 == " " }
        while let body = bodies.last, body.depth > depth { bodies.removeLast() }
        let isMember =
            bodies.last.map {
                $0.depth == depth && $0.members.contains(code.prefix(while: \.isLetter))
            } ?? false
        // Most lines are not looked at by an expression, which takes long.
        let mayBePublic = code.hasPrefix("public") || code.hasPrefix("@")
        let isPublic = mayBePublic && code.contains(/^(?:@\w+ )*public (?!import|extension)/)
        depth += line.utf8.reduce(0) { $0 + brace($1) }
        if mayBePublic, code.contains(/^public (?:indirect )?enum\b/) { opening = ["case"] }
        if code.hasPrefix("public protocol") { opening = requirements }
        if let members = opening, line.contains("{") {
            bodies.append((depth, members))
            opening = nil
        }
        guard isPublic || isMember, !isDocumented(index + 1, of: text) else { return nil }
        return text.finding(line: index + 1, "say what it does, in a '///' comment: apps see it")
    }
}

/// Public functions and initializers that throw and whose comment does not say what they throw.
/// Those of `Codable` throw what the coder does.
func undocumentedErrorFindings(in text: SourceText) throws -> [Finding] {
    let pattern =
        #"^ *(?:@\w+(?:\([^)]*\))? +)*public +(?:(?:static|convenience|mutating) +)*"#
        + #"(?:func|init)\b([^{}]*)"#
    return try text.matches(of: pattern).compactMap { match in
        let signature = match.groups[1].replacing(/\([^()]*\)[^()]*->[^()]*\)/, with: ")")
        let isOfCoding = signature.contains(/any (?:De|En)coder\b/)
        guard signature.contains(/\bthrows\b/), !isOfCoding,
            !comment(above: match.line, of: text).contains(/\b[Tt]hrows\b/)
        else { return nil }
        return text.finding(line: match.line, "say what it throws, in its comment")
    }
}

/// 1 for a brace that opens, -1 for one that closes.
private func brace(_ byte: UInt8) -> Int {
    byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
}

private let requirements: Set<Substring> = [
    "func", "var", "init", "static", "associatedtype", "mutating", "subscript",
]

/// Attributes may stand between a declaration and its comment.
private func isDocumented(_ line: Int, of text: SourceText) -> Bool {
    !comment(above: line, of: text).isEmpty
}

/// The lines of a doc comment above a declaration; empty if it has none.
private func comment(above line: Int, of text: SourceText) -> String {
    let above = text.lines[..<(line - 1)].reversed().lazy.map { $0.drop { $0 == " " } }
    let lines = above.drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }
    return Array(lines).reversed().joined(separator: "\n")
}
