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
    if line.dropFirst(margin.count).hasPrefix("//") { return wrapped(comment: line) }
    if let end = line.firstIndex(of: "("), line.hasSuffix(")") {
        return parted(line, after: line.index(after: end), margin: margin)
    }
    if let equals = line.firstRange(of: " = ") {
        return parted(line, after: equals.upperBound, margin: margin)
    }
    return [line]
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
