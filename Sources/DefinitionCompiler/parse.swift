import CLibXML2

/// Parses the document with libxml2's event interface; nil unless it is well-formed and within the
/// limits.
///
/// No network, no files, no document type, hence no entities but XML's own five: the parser is
/// given the bytes and nothing else.
func parse(
    _ text: SourceText, within limits: CompilerLimits, reportingTo findings: inout Findings
) -> Element? {
    let scanned = scanTags(in: text, maxAttributes: limits.maxAttributes)
    if let tag = scanned.overfullTag {
        findings.report(.tooManyAttributes(limit: limits.maxAttributes, at: tag))
        return nil
    }
    if let documentType = scanned.documentType {
        findings.report(.documentTypeRefused(at: documentType))
        return nil
    }
    let builder = ElementBuilder(text: text, tags: scanned.tags, limits: limits)
    run(builder)
    guard builder.problem == nil, let root = builder.root else {
        let end = text.bytes.count
        findings.report(
            builder.problem ?? .malformed(.notXML, at: end..<end, openElement: nil))
        return nil
    }
    return root
}

private func run(_ builder: ElementBuilder) {
    builder.text.bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
            guard
                let context = xmlCreateMemoryParserCtxt(
                    characters.baseAddress, CInt(clamping: characters.count))
            else { return }
            xmlCtxtUseOptions(
                context, CInt(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
            context.pointee.sax.pointee = handler()
            builder.context = context
            withExtendedLifetime(builder) {
                context.pointee.userData = Unmanaged.passUnretained(builder).toOpaque()
                xmlParseDocument(context)
            }
            builder.context = nil
            xmlFreeParserCtxt(context)
        }
    }
}

/// What libxml2 calls. All else it can do on the way (building a tree, loading what a document
/// type names, writing messages to stderr) is left out.
private func handler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startElementNs = {
        builder, name, _, uri, _, _, attributeCount, _, attributes in
        builderBehind(builder)?.start(
            SAXName(name: name, uri: uri),
            SAXAttributes(strings: attributes, count: Int(attributeCount)))
    }
    handler.endElementNs = { builder, _, _, _ in builderBehind(builder)?.end() }
    handler.characters = { builder, characters, count in
        builderBehind(builder)?.add(UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { builder, error in
        if let error { builderBehind(builder)?.note(error.pointee) }
    }
    return handler
}

private func builderBehind(_ pointer: UnsafeMutableRawPointer?) -> ElementBuilder? {
    pointer.map { Unmanaged<ElementBuilder>.fromOpaque($0).takeUnretainedValue() }
}

private struct SAXName {
    let name: UnsafePointer<xmlChar>?
    let uri: UnsafePointer<xmlChar>?
}

/// Five pointers for each: name, prefix, namespace, start of the value and its end.
private struct SAXAttributes {
    let strings: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    let count: Int

    func name(_ index: Int) -> String { string(strings?[index * 5]) ?? "" }
    func namespace(_ index: Int) -> String? { string(strings?[index * 5 + 2]) }
    func value(_ index: Int) -> String {
        guard let start = strings?[index * 5 + 3], let end = strings?[index * 5 + 4] else {
            return ""
        }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
    }
}

private func string(_ characters: UnsafePointer<xmlChar>?) -> String? {
    characters.map { String(cString: $0) }
}

/// Puts the elements together as libxml2 tells them, with the places that the scan found.
///
/// A class because C hands back only a pointer; it lives within one call of `parse`.
private final class ElementBuilder {
    let text: SourceText
    private let tags: [Tag]
    private let limits: CompilerLimits
    var context: xmlParserCtxtPtr?
    private var open: [Element] = []
    private var nextTag = 0
    private var elementCount = 0
    private(set) var root: Element?
    /// The first one; nothing that comes after it would be certain.
    private(set) var problem: Problem?

    init(text: SourceText, tags: [Tag], limits: CompilerLimits) {
        self.text = text
        self.tags = tags
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
        let written = tag.attributes.filter { !$0.declaresNamespace }
        let declared = tag.attributes.filter { $0.declaresNamespace }
        open.append(
            Element(
                name: string(name.name) ?? "", namespace: string(name.uri),
                nameRange: tag.nameRange,
                attributes: zip(written, 0..<attributes.count).map { written, index in
                    Attribute(
                        name: attributes.name(index), namespace: attributes.namespace(index),
                        value: attributes.value(index), nameRange: written.nameRange,
                        valueRange: written.valueRange)
                },
                namespaceDeclarations: declared.map {
                    NamespaceDeclaration(
                        value: String(decoding: text.bytes[$0.valueRange], as: UTF8.self),
                        valueRange: $0.valueRange)
                },
                textRange: tag.end..<tag.end))
    }

    /// Called for an empty tag too, right after its start; that one has no second tag.
    func end() {
        guard problem == nil, var element = open.popLast() else { return }
        if tags[nextTag - 1].kind != .empty || tags[nextTag - 1].nameRange != element.nameRange {
            guard tags.indices.contains(nextTag) else { return }
            trimText(of: &element, endTag: tags[nextTag])
            nextTag += 1
        }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    func add(_ characters: UnsafeBufferPointer<xmlChar>) {
        guard problem == nil, let last = open.indices.last else { return }
        if open[last].text.isEmpty {
            guard let start = characters.firstIndex(where: { !isBlank($0) }) else { return }
            let place = startOfText(at: tags[nextTag - 1].end, in: text)
            open[last].textRange = place..<place
            open[last].text = String(decoding: characters[start...], as: UTF8.self)
        } else {
            open[last].text += String(decoding: characters, as: UTF8.self)
        }
    }

    private func trimText(of element: inout Element, endTag: Tag) {
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
