import DefinitionCompiler

extension WrittenDocument {
    /// Inserts the elements of a path that do not exist, with their keys.
    func creation(of path: ElementPath) throws(EditError) -> TextChange {
        var count = path.steps.count
        while count > 0, find(path.steps.prefix(count), below: root) == nil { count -= 1 }
        let parent = find(path.steps.prefix(count), below: root) ?? root
        let missing = Array(path.steps.dropFirst(count))
        guard let first = missing.first else { return TextChange(range: 0..<0, text: "") }
        let style = style(ofChildrenOf: parent)
        let text = try rendered(missing[...], prefix: parent.prefix, at: style.indentation, style)
        guard let endTag = parent.endTag else {
            let name = String(decoding: bytes[parent.nameRange], as: UTF8.self)
            let end = parent.startTag.upperBound
            let closing = style.lineBreak.isEmpty ? "" : style.lineBreak + indentation(of: parent)
            return TextChange(
                range: startOfSlash(in: parent)..<end,
                text: ">\(style.lineBreak)\(text)\(closing)</\(name)>")
        }
        let previous = parent.children.last { order(of: $0.name) <= order(of: first.name) }
        if let previous {
            let place = previous.range.upperBound
            return TextChange(range: place..<place, text: style.lineBreak + text)
        }
        let place = parent.startTag.upperBound
        let hasContent = bytes[place..<endTag.lowerBound].contains { !isWhite($0) }
        if hasContent || place == endTag.lowerBound {
            let closing =
                hasContent || style.lineBreak.isEmpty
                ? "" : style.lineBreak + indentation(of: parent)
            return TextChange(range: place..<place, text: style.lineBreak + text + closing)
        }
        return TextChange(range: place..<place, text: style.lineBreak + text)
    }

    func moving(_ path: ElementPath, down: Bool) throws(EditError) -> TextChange? {
        guard let element = find(path), let last = path.steps.last,
            let parent = find(path.steps.dropLast(), below: root)
        else { throw .missing(path) }
        let all = parent.children.filter { $0.name == last.name }
        guard let index = all.firstIndex(of: element) else { throw .missing(path) }
        let other = down ? index + 1 : index - 1
        guard all.indices.contains(other) else { return nil }
        let (first, second) = (all[min(index, other)], all[max(index, other)])
        let between = bytes[first.range.upperBound..<second.range.lowerBound]
        let swapped = Array(bytes[second.range]) + Array(between) + Array(bytes[first.range])
        return TextChange(
            range: first.range.lowerBound..<second.range.upperBound,
            text: String(decoding: swapped, as: UTF8.self))
    }

    /// The range with its lines if nothing else is on them.
    func linesAlone(with range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        var end = range.upperBound
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        let beginsLine = start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
        guard beginsLine, end < bytes.count, bytes[end] == 0x0A || bytes[end] == 0x0D else {
            return range
        }
        let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
        return start..<end + (isPair ? 2 : 1)
    }
}

// MARK: - The style of new elements

private struct WritingStyle {
    /// Empty if elements follow each other on a line.
    let lineBreak: String
    let indentation: String
    /// The indentation of a child in addition to that of its parent.
    let unit: String
}

extension WrittenDocument {
    /// The style of the last child or, without children, of the parent, one unit deeper.
    private func style(ofChildrenOf parent: DocumentElement) -> WritingStyle {
        let unit = indentationUnit
        if let child = parent.children.last {
            guard beginsLine(child) else {
                return WritingStyle(lineBreak: "", indentation: "", unit: "")
            }
            return WritingStyle(
                lineBreak: lineBreak, indentation: indentation(of: child), unit: unit)
        }
        guard parent == root || beginsLine(parent) else {
            return WritingStyle(lineBreak: "", indentation: "", unit: "")
        }
        return WritingStyle(
            lineBreak: lineBreak, indentation: indentation(of: parent) + unit, unit: unit)
    }

    private var lineBreak: String {
        guard let end = bytes.firstIndex(of: 0x0A), end > 0 else { return "\n" }
        return bytes[end - 1] == 0x0D ? "\r\n" : "\n"
    }

    /// The indentation of the root's first child on a line of its own; two spaces without one.
    private var indentationUnit: String {
        let written = root.children.first(where: beginsLine).map { indentation(of: $0) } ?? ""
        return written.isEmpty ? "  " : written
    }

    private func beginsLine(_ element: DocumentElement) -> Bool {
        let start = element.startTag.lowerBound - indentation(of: element).utf8.count
        return start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
    }

    /// The spaces and tabs before an element.
    private func indentation(of element: DocumentElement) -> String {
        let end = element.startTag.lowerBound
        var start = end
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The white space before the slash of an empty-element tag, or the slash.
    private func startOfSlash(in element: DocumentElement) -> Int {
        var place = element.startTag.upperBound - 2
        while place > element.nameRange.upperBound, isWhite(bytes[place - 1]) { place -= 1 }
        return place
    }

    private func rendered(
        _ steps: ArraySlice<ElementPath.Step>, prefix: String, at indentation: String,
        _ style: WritingStyle
    ) throws(EditError) -> String {
        guard let step = steps.first else { return "" }
        guard !step.name.isEmpty, step.name.utf8.allSatisfy(isLowerLetter) else {
            throw .illegal(step.name)
        }
        var tag = prefix + step.name
        for key in step.keys {
            tag += " \(try written(key.name))=\"\(try escaped(key.value, quote: "\""))\""
        }
        let rest = steps.dropFirst()
        guard !rest.isEmpty else { return "\(indentation)<\(tag)/>" }
        let inner = try rendered(rest, prefix: prefix, at: indentation + style.unit, style)
        let closing = style.lineBreak + (style.lineBreak.isEmpty ? "" : indentation)
        return "\(indentation)<\(tag)>\(style.lineBreak)\(inner)\(closing)</\(prefix)\(step.name)>"
    }
}

private func isLowerLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
}

/// The usual order of sections in their parent. Others come after all.
private func order(of name: String) -> Int {
    let sections = ["devices", "groups", "roles", "fields", "credentials", "options", "models"]
    return sections.firstIndex(of: name) ?? sections.count
}
