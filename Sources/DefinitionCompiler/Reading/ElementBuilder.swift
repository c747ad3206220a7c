import CLibXML2

/// Builds the elements from libxml2's SAX events, with the places that the tag scan found.
struct ElementBuilder {
    private let text: SourceText
    private let scanned: ScannedTags
    private let limits: CompilerLimits
    /// The parser that sends the events, needed to query and stop it.
    var context: xmlParserCtxtPtr?
    private var nodes: [Node] = []
    private var attributes: [StoredAttribute] = []
    private var rootDeclarations: [NamespaceDeclaration] = []
    /// The indices of the elements that are open.
    private var open: [Int] = []
    private var nextTag = 0
    private var names = NameTable()
    private var isComplete = false
    /// The first problem. Parsing stops there, because later findings would be unreliable.
    private(set) var problem: Problem?

    init(text: SourceText, scanned: ScannedTags, limits: CompilerLimits) {
        self.text = text
        self.scanned = scanned
        self.limits = limits
        nodes.reserveCapacity(scanned.tags.count)
        attributes.reserveCapacity(scanned.attributes.count)
    }

    /// Nil if the document is incomplete.
    var root: Element? {
        guard isComplete, problem == nil else { return nil }
        return Elements(
            nodes: nodes, attributes: attributes, names: names, declarations: rootDeclarations
        ).root
    }

    mutating func start(_ name: SAXName, _ attributes: SAXAttributes) {
        guard problem == nil, scanned.tags.indices.contains(nextTag) else { return }
        let tag = scanned.tags[nextTag]
        nextTag += 1
        if open.count == limits.maxDepth {
            return stop(.tooDeep(limit: limits.maxDepth, at: tag.nameRange))
        }
        if nodes.count == limits.maxElements {
            return stop(.tooManyElements(limit: limits.maxElements, at: tag.nameRange))
        }
        if nodes.isEmpty { rootDeclarations = declarations(of: tag) }
        open.append(nodes.count)
        nodes.append(
            Node(
                name: names.index(of: name.name), namespace: names.namespace(name.namespace),
                nameRange: ByteRange(tag.nameRange),
                attributes: ByteRange(place(attributes, of: tag)),
                end: UInt32(truncatingIfNeeded: nodes.count + 1),
                textRange: ByteRange(tag.end..<tag.end)))
    }

    /// libxml2 reports attributes in document order, without namespace declarations.
    private mutating func place(_ found: SAXAttributes, of tag: Tag) -> Range<Int> {
        let first = attributes.count
        for index in tag.attributes where !scanned.attributes[index].declaresNamespace {
            let position = attributes.count - first
            guard position < found.count else { break }
            attributes.append(
                StoredAttribute(
                    name: names.index(of: found.name(position)),
                    namespace: names.namespace(found.namespace(position)),
                    value: found.value(position),
                    nameRange: ByteRange(scanned.attributes[index].nameRange),
                    valueRange: ByteRange(scanned.attributes[index].valueRange)))
        }
        return first..<attributes.count
    }

    private func declarations(of tag: Tag) -> [NamespaceDeclaration] {
        scanned.attributes[tag.attributes].filter(\.declaresNamespace).map {
            NamespaceDeclaration(
                value: String(decoding: text.bytes[$0.valueRange], as: UTF8.self),
                valueRange: $0.valueRange)
        }
    }

    /// Also called for an empty tag, right after its start; such an element has no end tag.
    mutating func end() {
        guard problem == nil, let element = open.popLast() else { return }
        let last = scanned.tags[nextTag - 1]
        if last.kind != .empty || last.nameRange != nodes[element].nameRange.range {
            guard scanned.tags.indices.contains(nextTag) else { return }
            trimText(of: element, endTag: scanned.tags[nextTag])
            nextTag += 1
        }
        nodes[element].end = UInt32(truncatingIfNeeded: nodes.count)
        isComplete = open.isEmpty
    }

    mutating func add(_ characters: UnsafeBufferPointer<xmlChar>) {
        guard problem == nil, let element = open.last else { return }
        if nodes[element].text.isEmpty {
            guard let start = characters.firstIndex(where: { !isBlank($0) }) else { return }
            let place = startOfText(at: scanned.tags[nextTag - 1].end, in: text)
            nodes[element].textRange = ByteRange(place..<place)
            nodes[element].text = String(decoding: characters[start...], as: UTF8.self)
        } else {
            nodes[element].text += String(decoding: characters, as: UTF8.self)
        }
    }

    private mutating func trimText(of element: Int, endTag: Tag) {
        guard !nodes[element].text.isEmpty else { return }
        while let last = nodes[element].text.utf8.last, isBlank(last) {
            nodes[element].text.unicodeScalars.removeLast()
        }
        let start = nodes[element].textRange.range.lowerBound
        var stretch = text.bytes[start..<max(start, endTag.nameRange.lowerBound - 2)]
        let hasChildren = nodes.count > element + 1
        if hasChildren { stretch = stretch.prefix { $0 != UInt8(ascii: "<") } }
        let end = stretch.lastIndex { !isBlank($0) }.map { $0 + 1 }
        nodes[element].textRange = ByteRange(start..<(end ?? start))
    }

    /// Records an error of libxml2. The parser continues after it, but its later errors are
    /// unreliable.
    mutating func note(_ error: xmlError) {
        guard problem == nil, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let place = min(max(0, context.map { xmlByteConsumed($0) } ?? 0), text.bytes.count)
        let parseError = ParseError(error)
        problem = .malformed(
            parseError, at: parseError.range(endingAt: place, in: text),
            openElement: parseError.concernsOpenElement
                ? open.last.map { nodes[$0].nameRange.range } : nil)
    }

    private mutating func stop(_ problem: Problem) {
        self.problem = problem
        context.map { xmlStopParser($0) }
    }
}

/// A name and its namespace, as libxml2 passes them.
struct SAXName {
    let name: UnsafePointer<xmlChar>?
    let namespace: UnsafePointer<xmlChar>?
}

/// Five pointers per attribute: name, prefix, namespace, start and end of the value.
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
