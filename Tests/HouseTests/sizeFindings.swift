/// Limits for lines, functions and files.
enum SizeLimit {
    static let columns = 100
    static let functionLines = 40
    /// For a function that has an exception.
    static let exceptionalFunctionLines = 70
    static let fileLines = 400
}

/// Functions that may be longer, as "path name", each with the reason.
let longFunctionExceptions: [String: String] = [:]

func sizeFindings(in files: [SourceText], exceptions: [String: String]) throws -> [Finding] {
    try files.flatMap { file in
        longLineFindings(in: file.lines, of: file.path) + longFileFindings(in: file)
            + (try longFunctionFindings(in: file, exceptions: exceptions))
    }
}

/// Also for files that are not Swift.
func longLineFindings(in lines: [Substring], of path: String) -> [Finding] {
    lines.enumerated().filter { $0.element.count > SizeLimit.columns }.map { index, line in
        Finding(
            path: path, line: index + 1,
            advice: "break the line: it has \(line.count) columns of \(SizeLimit.columns)")
    }
}

/// The same in the prose of a Markdown page: not in code, tables, and lines of one word.
func longProseFindings(in lines: [Substring], of path: String) -> [Finding] {
    var isCode = false
    let prose = lines.map { line -> Substring in
        if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
        let hasWords = line.replacing(/`[^`]*`/, with: "").contains(" ")
        return isCode || line.hasPrefix("|") || !hasWords ? "" : line
    }
    return longLineFindings(in: prose, of: path)
}

private func longFileFindings(in text: SourceText) -> [Finding] {
    let count = text.lines.count - (text.lines.last == "" ? 1 : 0)
    guard count > SizeLimit.fileLines else { return [] }
    let advice = "split the file: it has \(count) lines of \(SizeLimit.fileLines)"
    return [text.finding(line: count, advice)]
}

private func longFunctionFindings(
    in text: SourceText, exceptions: [String: String]
) throws -> [Finding] {
    try functions(in: text).compactMap { function in
        let isExcepted = exceptions["\(text.path) \(function.name)"] != nil
        let limit = isExcepted ? SizeLimit.exceptionalFunctionLines : SizeLimit.functionLines
        guard function.bodyLines > limit else { return nil }
        let size = "\(function.bodyLines) lines of \(limit)"
        return text.finding(
            line: function.line, "split '\(function.name)': its body has \(size)")
    }
}

/// A function, initializer, subscript or computed property with a body.
struct FunctionText: Hashable {
    let name: String
    let line: Int
    /// Between the lines of the opening and the closing brace.
    let bodyLines: Int
}

func functions(in text: SourceText) throws -> [FunctionText] {
    let start =
        #"\bfunc\s+([^\s(<]+)|(?<![.\w])(init)[?!]?\s*(?=[(<])|(?<![.\w])(subscript)\s*(?=[(<])"#
        + #"|\b(deinit)\b|\bvar\s+(\w+)\s*:[^={\n]+(?=\{)"#
    let code = Array(text.code.utf16)
    return try text.matches(of: start).compactMap { match in
        guard let lines = bodyLines(in: code, after: match.end) else { return nil }
        let name = match.groups.dropFirst().first { !$0.isEmpty }
        return FunctionText(name: name ?? "", line: match.line, bodyLines: lines)
    }
}

private func bodyLines(in code: [UInt16], after start: Int) -> Int? {
    guard let opening = openingBrace(in: code, after: start) else { return nil }
    var depth = 0
    var newlines = 0
    for unit in code[opening...] {
        depth += unit == brace.open ? 1 : unit == brace.close ? -1 : 0
        newlines += unit == newline ? 1 : 0
        if depth == 0 { return max(0, newlines - 1) }
    }
    return nil
}

/// Nil for a protocol requirement, which has no body: the next line starts something else.
private func openingBrace(in code: [UInt16], after start: Int) -> Int? {
    var depth = 0
    for index in code.indices[start...] {
        let unit = code[index]
        if "([".utf16.contains(unit) { depth += 1 }
        if ")]".utf16.contains(unit) { depth -= 1 }
        guard depth == 0 else { continue }
        if unit == brace.open { return index }
        if unit == brace.close { return nil }
        if unit == newline, startsSomethingElse(code[(index + 1)...]) { return nil }
    }
    return nil
}

private func startsSomethingElse(_ code: ArraySlice<UInt16>) -> Bool {
    let line = code.prefix { $0 != newline }.drop { $0 == UInt16(UInt8(ascii: " ")) }
    let word = String(decoding: line.prefix { $0 != UInt16(UInt8(ascii: " ")) }, as: UTF16.self)
    let declarations: Set = [
        "func", "init", "var", "let", "static", "mutating", "subscript", "associatedtype",
        "package", "public", "private", "fileprivate", "internal", "extension", "struct", "enum",
        "class", "protocol", "actor", "typealias", "import", "",
    ]
    return declarations.contains(word) || word.hasPrefix("@") || word.hasPrefix("#")
        || word.hasPrefix("init(") || word.hasPrefix("}")
}

private let newline = UInt16(UInt8(ascii: "\n"))
private let brace = (open: UInt16(UInt8(ascii: "{")), close: UInt16(UInt8(ascii: "}")))
