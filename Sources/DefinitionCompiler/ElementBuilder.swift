import CLibXML2

/// Puts the elements together as libxml2 tells them, with the places that the scan found.
///
/// A class because C hands back only a pointer; it lives within one call of `parse`.
final class ElementBuilder {
    let text: SourceText
    private let tags: [Tag]
    private let written: [WrittenAttribute]
    private let limits: CompilerLimits
    var context: xmlParserCtxtPtr?
    private var open: [Element] = []
    private var nextTag = 0
    private var elementCount = 0
    private var names = KnownNames()
    private(set) var root: Element?
    /// The first one; nothing that comes after it would be certain.
    private(set) var problem: Problem?

    init(text: SourceText, scanned: ScannedTags, limits: CompilerLimits) {
        self.text = text
        tags = scanned.tags
        written = scanned.attributes
        self.limits = limits
    }

    func start(_ name: SAXName, _ attributes: SAXAttributes) {
        guard problem == nil, tags.indices.contains(nextTag) else { return }
        let tag = tags[nextTag]
        nextTag += 1
        elementCount += 1
        if open.count == limits.maxDepth {
            return stop(.tooDeep(limit: limits.maxDepth, at: tag.nameRange))
        }
        if elementCount > limits.maxElements {
            return stop(.tooManyElements(limit: limits.maxElements, at: tag.nameRange))
        }
        open.append(
            Element(
                name: names[name.name] ?? "", namespace: names[name.namespace],
                nameRange: tag.nameRange, attributes: place(attributes, of: tag),
                namespaceDeclarations: declarations(of: tag), contentStart: tag.end))
    }

    /// libxml2 hands them over in the order of the document, but without the declarations of
    /// namespaces.
    private func place(_ attributes: SAXAttributes, of tag: Tag) -> [Attribute] {
        guard attributes.count > 0 else { return [] }
        var placed: [Attribute] = []
        placed.reserveCapacity(attributes.count)
        for index in tag.attributes where !written[index].declaresNamespace {
            guard placed.count < attributes.count else { break }
            placed.append(
                Attribute(
                    name: names[attributes.name(placed.count)] ?? "",
                    namespace: names[attributes.namespace(placed.count)],
                    value: attributes.value(placed.count),
                    nameRange: written[index].nameRange,
                    valueRange: written[index].valueRange))
        }
        return placed
    }

    private func declarations(of tag: Tag) -> [NamespaceDeclaration] {
        tag.attributes.lazy.map { self.written[$0] }.filter(\.declaresNamespace).map {
            NamespaceDeclaration(
                value: String(decoding: self.text.bytes[$0.valueRange], as: UTF8.self),
                valueRange: $0.valueRange)
        }
    }

    /// Called for an empty tag too, right after its start; that one has no second tag.
    func end() {
        guard problem == nil, let element = open.popLast() else { return }
        if tags[nextTag - 1].kind != .empty || tags[nextTag - 1].nameRange != element.nameRange {
            guard tags.indices.contains(nextTag) else { return }
            trimText(of: element, endTag: tags[nextTag])
            nextTag += 1
        }
        if let parent = open.last {
            parent.children.append(element)
        } else {
            root = element
        }
    }

    func add(_ characters: UnsafeBufferPointer<xmlChar>) {
        guard problem == nil, let element = open.last else { return }
        if element.text.isEmpty {
            guard let start = characters.firstIndex(where: { !isBlank($0) }) else { return }
            let place = startOfText(at: tags[nextTag - 1].end, in: text)
            element.textRange = place..<place
            element.text = String(decoding: characters[start...], as: UTF8.self)
        } else {
            element.text += String(decoding: characters, as: UTF8.self)
        }
    }

    private func trimText(of element: Element, endTag: Tag) {
        guard !element.text.isEmpty else { return }
        while let last = element.text.utf8.last, isBlank(last) {
            element.text.unicodeScalars.removeLast()
        }
        let start = element.textRange.lowerBound
        var stretch = text.bytes[start..<max(start, endTag.nameRange.lowerBound - 2)]
        if !element.children.isEmpty { stretch = stretch.prefix { $0 != UInt8(ascii: "<") } }
        let end = stretch.lastIndex { !isBlank($0) }.map { $0 + 1 }
        element.textRange = start..<(end ?? start)
    }

    /// An error of libxml2; it goes on to look for more, but what it finds then is guesswork.
    func note(_ error: xmlError) {
        guard problem == nil, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let place = min(max(0, context.map { xmlByteConsumed($0) } ?? 0), text.bytes.count)
        let malformation = Malformation(error)
        problem = .malformed(
            malformation, at: malformation.range(endingAt: place, in: text),
            openElement: malformation.concernsOpenElement ? open.last?.nameRange : nil)
    }

    private func stop(_ problem: Problem) {
        self.problem = problem
        context.map { xmlStopParser($0) }
    }
}

/// A name and its namespace, as libxml2 hands them over.
struct SAXName {
    let name: UnsafePointer<xmlChar>?
    let namespace: UnsafePointer<xmlChar>?
}

/// Five pointers for each: name, prefix, namespace, start of the value and its end.
struct SAXAttributes {
    let strings: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    let count: Int

    fileprivate func name(_ index: Int) -> UnsafePointer<xmlChar>? { strings?[index * 5] }

    fileprivate func namespace(_ index: Int) -> UnsafePointer<xmlChar>? { strings?[index * 5 + 2] }

    fileprivate func value(_ index: Int) -> String {
        guard let start = strings?[index * 5 + 3], let end = strings?[index * 5 + 4] else {
            return ""
        }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
    }
}

/// Names and namespaces as strings, one string for each: libxml2 keeps one copy of each name, so
/// that its address tells it.
private struct KnownNames {
    private var strings: [UnsafePointer<xmlChar>: String] = [:]

    subscript(name: UnsafePointer<xmlChar>?) -> String? {
        mutating get {
            guard let name else { return nil }
            if let string = strings[name] { return string }
            let string = String(cString: name)
            strings[name] = string
            return string
        }
    }
}
