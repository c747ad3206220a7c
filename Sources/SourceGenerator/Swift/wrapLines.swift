/// Breaks lines of Swift code that are longer than 100 columns, as swift-format does.
///
/// Templates ignore line lengths, which depend on the names inserted.
func wrapLines(_ code: String) -> String {
    let lines = longLines(of: code)
    guard !lines.isEmpty else { return code }
    var wrapped = ""
    var copiedEnd = code.startIndex
    for line in lines {
        wrapped += code[copiedEnd..<line.startIndex]
        wrapped += wrappedLines(String(line)).joined(separator: "\n")
        copiedEnd = line.endIndex
    }
    return wrapped + code[copiedEnd...]
}

/// The lines of more than 100 bytes, which include those of more than 100 columns. Few lines are
/// long.
private func longLines(of code: String) -> [Substring] {
    let bytes = code.utf8
    var lines: [Substring] = []
    var start = 0
    func endLine(at end: Int) {
        if end - start > maxColumns {
            let first = bytes.index(bytes.startIndex, offsetBy: start)
            lines.append(code[first..<bytes.index(first, offsetBy: end - start)])
        }
        start = end + 1
    }
    var offset = 0
    for byte in bytes {
        if byte == UInt8(ascii: "\n") { endLine(at: offset) }
        offset += 1
    }
    endLine(at: offset)
    return lines
}

private let maxColumns = 100

private func wrappedLines(_ line: String) -> [String] {
    guard line.count > maxColumns else { return [line] }
    let margin = String(line.prefix { $0 == " " })
    let code = line.dropFirst(margin.count)
    if code.hasPrefix("//") { return wrapped(comment: line) }
    if code.hasPrefix("case ") || code.hasPrefix("public var "),
        let colon = line.firstRange(of: ": ")
    {
        return splitBeforeBody(line, after: colon.upperBound, margin: margin)
    }
    if let end = line.firstIndex(of: "("), line.hasSuffix(")") {
        return split(line, after: line.index(after: end), margin: margin)
    }
    let equals = line.firstRange(of: " = ")
    if let equals, line[..<equals.upperBound].count <= maxColumns {
        return split(line, after: equals.upperBound, margin: margin)
    }
    return splitInType(line, margin: margin) ?? [line]
}

/// Moves the brace of a body to a line of its own.
private func splitBeforeBody(
    _ line: String, after end: String.Index, margin: String
) -> [String] {
    guard line.hasSuffix(" {") else { return split(line, after: end, margin: margin) }
    return split(String(line.dropLast(2)), after: end, margin: margin) + [margin + "{"]
}

/// Breaks inside the angle brackets of a generic type; nil if there is none.
private func splitInType(_ line: String, margin: String) -> [String]? {
    guard let start = line.firstIndex(of: "<"), let end = line.lastIndex(of: ">") else {
        return nil
    }
    let inner = line[line.index(after: start)..<end]
    return [String(line[...start]), "\(margin)    \(inner)", margin + line[end...]]
}

/// Moves the rest to the next line, indented by four more columns, and wraps it in turn.
private func split(_ line: String, after end: String.Index, margin: String) -> [String] {
    var head = line[..<end]
    while head.last == " " { head.removeLast() }
    return [String(head)] + arguments("\(margin)    \(line[end...])")
}

/// One argument on each line, if they do not fit on one.
private func arguments(_ line: String) -> [String] {
    guard line.count > maxColumns, let comma = line.firstRange(of: ", ") else { return [line] }
    let margin = line.prefix { $0 == " " }
    let head = line[..<comma.lowerBound] + ","
    return [String(head)] + arguments("\(margin)\(line[comma.upperBound...])")
}

/// Repeats the indentation and slashes of the first line.
private func wrapped(comment: String) -> [String] {
    let margin = comment.prefix { $0 == " " || $0 == "/" }
    let words = comment.dropFirst(margin.count).split(separator: " ")
    return words.reduce(into: [String]()) { lines, word in
        if let last = lines.last, last.count + 1 + word.count <= maxColumns {
            lines[lines.count - 1] = "\(last) \(word)"
        } else {
            lines.append("\(margin)\(word)")
        }
    }
}
