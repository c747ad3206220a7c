import DefinitionCompiler

private let ownNamespace = "urn:waggle:definition"

extension WrittenDocument {
    func setting(
        _ name: String, to value: String?, of element: DocumentElement
    ) throws(EditError) -> TextChange? {
        let present = element.attribute(name)
        switch (present, value) {
        case (nil, nil): return nil
        case (let present?, nil): return removal(of: present)
        case (let present?, let value?):
            guard present.value != value else { return nil }
            let quote = bytes[present.valueRange.upperBound]
            return TextChange(
                range: present.valueRange,
                text: try escaped(value, quote: quote == UInt8(ascii: "'") ? "'" : "\""))
        case (nil, let value?):
            let place = element.lastOfStartTag
            let text = " \(try written(name))=\"\(try escaped(value, quote: "\""))\""
            return TextChange(range: place..<place, text: text)
        }
    }

    func writing(_ text: String, in element: DocumentElement) throws(EditError) -> TextChange? {
        guard element.text != text else { return nil }
        let content = try escaped(text, quote: nil)
        guard let endTag = element.endTag else {
            let slash = element.startTag.upperBound - 2
            let name = String(decoding: bytes[element.nameRange], as: UTF8.self)
            return TextChange(
                range: slash..<element.startTag.upperBound, text: ">\(content)</\(name)>")
        }
        guard !element.textRange.isEmpty else {
            return TextChange(range: endTag.lowerBound..<endTag.lowerBound, text: content)
        }
        return TextChange(
            range: element.textRange, text: content + rest(of: element.textRange))
    }

    /// The bytes of a range of text that are no text: comments and processing instructions, with
    /// the white space round them.
    private func rest(of range: Range<Int>) -> String {
        var (rest, place) = ([UInt8](), range.lowerBound)
        while place < range.upperBound {
            if let end = endOfMarkup("<!--", "-->", at: place) ?? endOfMarkup("<?", "?>", at: place)
            {
                rest += bytes[place..<end]
                place = end
                continue
            }
            let start = place
            while place < range.upperBound, !isMarkup(at: place) {
                place = endOfMarkup("<![CDATA[", "]]>", at: place) ?? place + 1
            }
            let text = bytes[start..<place]
            if let last = text.lastIndex(where: { !isWhite($0) }) {
                rest += text.prefix(while: isWhite)
                rest += text[(last + 1)...]
            } else {
                rest += text
            }
        }
        return String(decoding: rest, as: UTF8.self)
    }

    private func isMarkup(at place: Int) -> Bool {
        ["<!--", "<?"].contains { bytes[place...].starts(with: $0.utf8) }
    }

    /// The place after what begins with `start` here; nil if something else is here.
    private func endOfMarkup(_ start: String, _ end: String, at place: Int) -> Int? {
        let here = bytes[place...]
        guard here.starts(with: start.utf8) else { return nil }
        return here.dropFirst(start.utf8.count).firstRange(of: Array(end.utf8))?.upperBound
    }

    /// The edits that declare Waggle's namespace, if the attribute needs it and it is not declared.
    func declaration(
        for name: String, _ value: String?
    ) throws(EditError) -> [DefinitionEdit] {
        guard name.hasPrefix("w:"), value != nil, ownPrefix == nil else { return [] }
        return [.set(ElementPath([]), attribute: "xmlns:\(freePrefix)", value: ownNamespace)]
    }

    /// Nil if the root declares no prefix for Waggle's namespace.
    private var ownPrefix: String? {
        prefixes[ownNamespace].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var freePrefix: String {
        prefixes.values.contains("w") ? "waggle" : "w"
    }

    /// The name of an attribute with the document's prefix.
    func written(_ name: String) throws(EditError) -> String {
        let plain = name.hasPrefix("w:") ? String(name.dropFirst(2)) : name
        let isLegal = plain.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: ":"):
                true
            case _: false
            }
        }
        guard isLegal, !plain.isEmpty else { throw .illegal(name) }
        return name.hasPrefix("w:") ? "\(ownPrefix ?? "w"):\(plain)" : plain
    }

    /// With the white space before it.
    private func removal(of attribute: DocumentAttribute) -> TextChange {
        let start = bytes[..<attribute.range.lowerBound].lastIndex { !isWhite($0) } ?? -1
        return TextChange(range: start + 1..<attribute.range.upperBound, text: "")
    }
}

extension DocumentElement {
    /// The place after the last attribute or, without attributes, after the name.
    var lastOfStartTag: Int {
        attributes.map(\.range.upperBound).max() ?? nameRange.upperBound
    }
}

func isWhite(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
}

/// A text as it is written in an attribute with this quote or, without one, in an element. Throws
/// if XML cannot hold it.
func escaped(_ text: String, quote: Character?) throws(EditError) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"" where quote == "\"": result += "&quot;"
        case "'" where quote == "'": result += "&apos;"
        case "\t" where quote != nil, "\n" where quote != nil: result += "&#\(scalar.value);"
        case "\r": result += "&#13;"
        case "\t", "\n": result.unicodeScalars.append(scalar)
        case "\u{0}"..<" ", "\u{FFFE}"..."\u{FFFF}": throw .illegal(text)
        case _: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
