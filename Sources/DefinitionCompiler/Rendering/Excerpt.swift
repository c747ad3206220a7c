import DefinitionModel

/// A line of the document with carets under a range of it. A long line is cut around the range.
struct Excerpt {
    /// The line number, from 1.
    let number: Int
    let line: String
    /// The width of the line before the range, in terminal columns.
    let indentation: Int
    let carets: String

    /// Nil if the text has no such line, or an empty one.
    init?(of text: SourceText, at place: SourcePlace, length: Int) {
        let offset = text.offset(of: place)
        guard text.place(at: offset).line == place.line else { return nil }
        var before = text.scalars(before: offset, limit: widestLine)
        var after = text.scalars(from: offset, limit: widestLine)
        guard !before.isEmpty || !after.isEmpty else { return nil }
        if before.count + after.count > widestLine {
            after = after.shortened(
                to: max(widestLine - before.count, leastBehind), keeping: .start)
            before = before.shortened(to: widestLine - after.count, keeping: .end)
        }
        number = place.line
        line = shown(before) + shown(after)
        indentation = width(of: before[...])
        carets = String(repeating: "^", count: max(1, width(of: after.prefix(max(1, length)))))
    }
}

extension Excerpt {
    /// The lines to print, with the line number in front.
    func lines(_ severity: Severity, style: TextStyle) -> [String] {
        let number = String(number)
        let width = max(4, number.count)
        return [
            style.paint(padding(width - number.count) + number + " |", as: .gutter) + " \(line)",
            style.paint(padding(width) + " |", as: .gutter) + " \(padding(indentation))"
                + style.paint(carets, as: .severity(severity)),
        ]
    }
}

private func padding(_ width: Int) -> String { String(repeating: " ", count: width) }

/// In scalars; longer lines are cut.
private let widestLine = 100

/// The minimum number of scalars kept after the start of the range if a line is cut on both sides.
private let leastBehind = 40

extension SourceText {
    /// At most one scalar more than the limit, so that the caller can tell whether the line is cut.
    fileprivate func scalars(before offset: Int, limit: Int) -> [Unicode.Scalar] {
        var start = offset
        var count = 0
        while start > 0, count <= limit, !isLineEnd(bytes[start - 1]) {
            start -= 1
            count += isContinuation(bytes[start]) ? 0 : 1
        }
        return Array(String(decoding: bytes[start..<offset], as: UTF8.self).unicodeScalars)
    }

    fileprivate func scalars(from offset: Int, limit: Int) -> [Unicode.Scalar] {
        let line = bytes[offset...].prefix(4 * (limit + 1)).prefix { !isLineEnd($0) }
        return Array(String(decoding: line, as: UTF8.self).unicodeScalars.prefix(limit + 1))
    }
}

private enum Side { case start, end }

extension [Unicode.Scalar] {
    fileprivate func shortened(to length: Int, keeping side: Side) -> [Unicode.Scalar] {
        guard count > length else { return self }
        switch side {
        case .start: return prefix(length - 1) + ["…"]
        case .end: return ["…"] + suffix(length - 1)
        }
    }
}

private func shown(_ scalars: [Unicode.Scalar]) -> String {
    scalars.map { $0 == "\t" ? tab : String(visible($0)) }.joined()
}

private let tab = "    "

/// The width in terminal columns.
private func width(of scalars: ArraySlice<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { $0 + width(of: $1) }
}

private func width(of scalar: Unicode.Scalar) -> Int {
    if scalar == "\t" { return tab.count }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return isWide(scalar) ? 2 : 1
    }
}

/// East Asian wide characters and emoji.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        true
    case _: false
    }
}
