/// Breaks the lines of Swift code that are longer than 100 columns, where swift-format would.
///
/// Templates are written as if lines had no end; how long one gets depends on the names in it.
func fit(_ code: String) -> String {
    code.split(separator: "\n", omittingEmptySubsequences: false)
        .flatMap { fittingLines(String($0)) }
        .joined(separator: "\n")
}

private let maxColumns = 100

private func fittingLines(_ line: String) -> [String] {
    guard line.count > maxColumns else { return [line] }
    let margin = String(line.prefix { $0 == " " })
    let code = line.dropFirst(margin.count)
    if code.hasPrefix("//") { return wrapped(comment: line) }
    if code.hasPrefix("case ") || code.hasPrefix("public var "),
        let colon = line.firstRange(of: ": ")
    {
        return partedBeforeBody(line, after: colon.upperBound, margin: margin)
    }
    if let end = line.firstIndex(of: "("), line.hasSuffix(")") {
        return parted(line, after: line.index(after: end), margin: margin)
    }
    let equals = line.firstRange(of: " = ")
    if let equals, line[..<equals.upperBound].count <= maxColumns {
        return parted(line, after: equals.upperBound, margin: margin)
    }
    return partedInType(line, margin: margin) ?? [line]
}

/// Where a body begins, its brace goes to a line of its own.
private func partedBeforeBody(
    _ line: String, after end: String.Index, margin: String
) -> [String] {
    guard line.hasSuffix(" {") else { return parted(line, after: end, margin: margin) }
    return parted(String(line.dropLast(2)), after: end, margin: margin) + [margin + "{"]
}

/// What a generic type is of goes to a line of its own; nil where there is no such type.
private func partedInType(_ line: String, margin: String) -> [String]? {
    guard let start = line.firstIndex(of: "<"), let end = line.lastIndex(of: ">") else {
        return nil
    }
    let inner = line[line.index(after: start)..<end]
    return [String(line[...start]), "\(margin)    \(inner)", margin + line[end...]]
}

/// The rest goes to the next line, four columns further in, and is fitted in turn.
private func parted(_ line: String, after end: String.Index, margin: String) -> [String] {
    var head = line[..<end]
    while head.last == " " { head.removeLast() }
    return [String(head)] + arguments("\(margin)    \(line[end...])")
}

/// One argument a line, if they do not fit on one.
private func arguments(_ line: String) -> [String] {
    guard line.count > maxColumns, let comma = line.firstRange(of: ", ") else { return [line] }
    let margin = line.prefix { $0 == " " }
    let head = line[..<comma.lowerBound] + ","
    return [String(head)] + arguments("\(margin)\(line[comma.upperBound...])")
}

/// Each line starts like the first: with its margin and its slashes.
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
