package import DefinitionModel

/// An element of a document as it is written, with byte offsets, for tools that edit the text.
///
/// Ranges are of the bytes after a byte-order mark.
package struct DocumentElement: Hashable, Sendable {
    /// Without its prefix.
    package let name: String
    /// The prefix of the name with its colon; empty without one.
    package let prefix: String
    /// From the `<` to after the `>`.
    package let startTag: Range<Int>
    package let nameRange: Range<Int>
    /// From the `</` to after the `>`; nil for an empty-element tag.
    package let endTag: Range<Int>?
    package let place: SourcePlace
    /// In document order, without namespace declarations.
    package let attributes: [DocumentAttribute]
    /// The element's own text, trimmed of white space.
    package let text: String
    /// The range of the text; empty without one.
    package let textRange: Range<Int>
    package let children: [DocumentElement]

    /// From the start tag to after the end tag.
    package var range: Range<Int> {
        startTag.lowerBound..<(endTag ?? startTag).upperBound
    }
}

/// An attribute as it is written.
package struct DocumentAttribute: Hashable, Sendable {
    /// Without its prefix.
    package let name: String
    /// Whether it is in the namespace `urn:waggle:definition`. Others are in no namespace, or in
    /// one that the language ignores; the latter have a prefix in `writtenName`.
    package let isOwn: Bool
    /// As in the document, with its prefix.
    package let writtenName: String
    /// With references resolved.
    package let value: String
    /// From the first byte of the name to after the closing quote.
    package let range: Range<Int>
    /// Without the quotes.
    package let valueRange: Range<Int>
}

/// A document that is well-formed XML in UTF-8.
package struct WrittenDocument: Hashable, Sendable {
    /// Without a byte-order mark.
    package let bytes: [UInt8]
    package let hasByteOrderMark: Bool
    package let root: DocumentElement
    /// The prefixes that the root declares, without colons, by namespace.
    package let prefixes: [String: String]

    /// Nil if the document is not well-formed, beyond the limits, or not in UTF-8.
    package init?(_ source: SourceFile, within limits: CompilerLimits = CompilerLimits()) {
        var collector = DiagnosticCollector(limit: 1, allowed: [])
        let text = decode(source, within: limits, reportingTo: &collector)
        hasByteOrderMark = source.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let own = source.bytes.dropFirst(hasByteOrderMark ? 3 : 0)
        guard !collector.hasErrors, text.bytes.count == own.count, own.elementsEqual(text.bytes),
            let parsed = parse(text, within: limits, reportingTo: &collector)
        else { return nil }
        bytes = text.bytes
        let scanned = scanTags(in: text, within: limits)
        var reader = DocumentReader(text: text, scanned: scanned)
        guard let root = reader.element(parsed) else { return nil }
        self.root = root
        prefixes = reader.prefixes
    }
}

/// Joins the parsed elements with the places of their tags. Both are in document order.
private struct DocumentReader {
    let text: SourceText
    let scanned: ScannedTags
    private var nextTag = 0

    init(text: SourceText, scanned: ScannedTags) {
        self.text = text
        self.scanned = scanned
    }

    /// Nil only if the scan and the parser disagree.
    mutating func element(_ parsed: Element) -> DocumentElement? {
        guard nextTag < scanned.tags.count else { return nil }
        let tag = scanned.tags[nextTag]
        nextTag += 1
        guard tag.kind != .end, tag.nameRange == parsed.nameRange else { return nil }
        var children: [DocumentElement] = []
        for child in parsed.children {
            guard let child = element(child) else { return nil }
            children.append(child)
        }
        var endTag: Range<Int>?
        if tag.kind == .start {
            guard nextTag < scanned.tags.count else { return nil }
            let end = scanned.tags[nextTag]
            nextTag += 1
            endTag = end.nameRange.lowerBound - 2..<end.end
        }
        return DocumentElement(
            name: parsed.name, prefix: prefix(of: written(tag.nameRange)),
            startTag: tag.nameRange.lowerBound - 1..<tag.end, nameRange: tag.nameRange,
            endTag: endTag, place: text.place(at: tag.nameRange.lowerBound - 1),
            attributes: parsed.attributes.map(attribute), text: parsed.text,
            textRange: parsed.textRange, children: children)
    }

    private func attribute(_ parsed: Attribute) -> DocumentAttribute {
        DocumentAttribute(
            name: parsed.name, isOwn: parsed.namespace == .own,
            writtenName: written(parsed.nameRange), value: parsed.value,
            range: parsed.nameRange.lowerBound..<parsed.valueRange.upperBound + 1,
            valueRange: parsed.valueRange)
    }

    private func prefix(of name: String) -> String {
        name.firstIndex(of: ":").map { String(name[...$0]) } ?? ""
    }

    private func written(_ range: Range<Int>) -> String {
        String(decoding: text.bytes[range], as: UTF8.self)
    }

    /// The prefixes that the root declares, which is the first tag.
    var prefixes: [String: String] {
        guard let root = scanned.tags.first else { return [:] }
        let declarations = scanned.attributes[root.attributes].filter(\.declaresNamespace)
        return declarations.reduce(into: [:]) { prefixes, declaration in
            let name = written(declaration.nameRange)
            prefixes[written(declaration.valueRange)] = String(name.dropFirst("xmlns:".count))
        }
    }
}
