import CLibXML2

/// Parses the document with libxml2's SAX interface; nil unless it is well-formed and within the
/// limits.
///
/// The parser accesses neither network nor files, and a document type is refused, so there are no
/// entities but the five predefined ones.
func parse(
    _ text: SourceText, within limits: CompilerLimits,
    reportingTo collector: inout DiagnosticCollector
) -> Element? {
    let scanned = scanTags(in: text, within: limits)
    if let tag = scanned.overfullTag {
        collector.report(.tooManyAttributes(limit: limits.maxAttributes, at: tag))
        return nil
    }
    if let documentType = scanned.documentType {
        collector.report(.documentTypeRefused(at: documentType))
        return nil
    }
    var builder = ElementBuilder(text: text, scanned: scanned, limits: limits)
    run(&builder, on: text)
    guard let root = builder.root else {
        let end = text.bytes.count
        collector.report(
            builder.problem ?? .malformed(.notXML, at: end..<end, openElement: nil))
        return nil
    }
    return root
}

private func run(_ builder: inout ElementBuilder, on text: SourceText) {
    text.bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
            guard
                let context = xmlCreateMemoryParserCtxt(
                    characters.baseAddress, CInt(clamping: characters.count))
            else { return }
            xmlCtxtUseOptions(context, options)
            context.pointee.sax.pointee = handler()
            builder.context = context
            withUnsafeMutablePointer(to: &builder) {
                context.pointee.userData = UnsafeMutableRawPointer($0)
                xmlParseDocument(context)
            }
            builder.context = nil
            xmlFreeParserCtxt(context)
        }
    }
}

/// The text is UTF-8 whatever it declares. Without NOENT, which affects only the predefined
/// entities here, `&amp;` in an attribute would stay a reference.
private let options = CInt(
    XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue)

/// The callbacks for libxml2. Everything else it can do (building a tree, loading a DTD, writing
/// messages to stderr) is off.
private func handler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startElementNs = {
        builder, name, _, uri, _, _, attributeCount, _, attributes in
        builderBehind(builder)?.pointee.start(
            SAXName(name: name, namespace: uri),
            SAXAttributes(strings: attributes, count: Int(attributeCount)))
    }
    handler.endElementNs = { builder, _, _, _ in builderBehind(builder)?.pointee.end() }
    handler.characters = { builder, characters, count in
        builderBehind(builder)?.pointee.add(
            UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { builder, error in
        if let error { builderBehind(builder)?.pointee.note(error.pointee) }
    }
    return handler
}

private func builderBehind(
    _ pointer: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<ElementBuilder>? {
    pointer?.assumingMemoryBound(to: ElementBuilder.self)
}
