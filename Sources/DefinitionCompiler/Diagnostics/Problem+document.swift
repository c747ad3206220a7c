/// Messages about a document as such: its bytes, its limits and its XML.
///
/// All messages of this module share one style: lower case, no full stop, quoted names. The message
/// states the finding and `help` states the remedy. The name of each factory is the id of its
/// diagnostic.
extension Problem {
    static func emptyDocument(at range: Range<Int>) -> Problem {
        .error(
            "the document is empty", at: range,
            help: "begin with '<application application=\"…\" vendor=\"…\">'")
    }

    static func documentTooLarge(limit: Int) -> Problem {
        .error(
            "the document has more bytes than the limit 'max-bytes' of \(limit)", at: 0..<0,
            help: "split the application, or raise the limit")
    }

    static func unsupportedEncoding(_ name: String, at range: Range<Int>) -> Problem {
        .error(
            "the encoding \(quoted(name)) is not supported", at: range,
            help: "save it as UTF-8")
    }

    static func encodingMismatch(
        declared: String, actual: String, at range: Range<Int>
    ) -> Problem {
        .error(
            "the document declares the encoding \(quoted(declared)), but is in "
                + quoted(actual), at: range,
            help: "write 'encoding=\"\(actual)\"', or leave the encoding out")
    }

    static func invalidBytes(of encoding: String, at range: Range<Int>) -> Problem {
        .error(
            "these bytes are invalid in \(quoted(encoding))", at: range,
            help: encoding == "UTF-8"
                ? "save the document as UTF-8, or declare the encoding that it has"
                : "save the document as UTF-8; it may have been cut off")
    }

    static func nulCharacter(at range: Range<Int>) -> Problem {
        .error(
            "this is a NUL character, which XML does not allow", at: range,
            help: "remove it; the document may be damaged or not be text at all")
    }

    static func documentTypeRefused(at range: Range<Int>) -> Problem {
        .error(
            "the document has a document type declaration, which is not allowed", at: range,
            help: "remove '<!DOCTYPE …>' and write out the entities that it declares")
    }

    static func tooDeep(limit: Int, at range: Range<Int>) -> Problem {
        .error(
            "elements are nested deeper than the limit 'max-depth' of \(limit)", at: range,
            help: "an application needs 7; a '/' may be missing in an end tag")
    }

    static func tooManyElements(limit: Int, at range: Range<Int>) -> Problem {
        .error(
            "the document has more elements than the limit 'max-elements' of \(limit)", at: range,
            help: "split the application, or raise the limit")
    }

    static func tooManyAttributes(limit: Int, at range: Range<Int>) -> Problem {
        .error(
            "the element has more attributes than the limit 'max-attributes' of \(limit)",
            at: range, help: "remove those that are not needed, or raise the limit")
    }

    static func tooManyProblems(more: Int, limit: Int, at range: Range<Int>) -> Problem {
        .note(
            "there are \(more) more problems than the limit 'max-diagnostics' of \(limit)",
            at: range, help: "fix these first, or raise the limit")
    }

    static func malformed(
        _ parseError: ParseError, at range: Range<Int>, openElement: Range<Int>?
    ) -> Problem {
        .error(
            parseError.message, at: range, help: parseError.help,
            related: openElement.map { [RelatedRange(range: $0, message: "it starts here")] } ?? [])
    }
}

extension ParseError {
    fileprivate var message: String {
        switch self {
        case .notXML: "the document is not XML: no element starts here"
        case .contentAfterRoot: "there is content after the root element"
        case .mismatchedTag(let opened, let closed):
            "\(quoted(closed)) is closed here, but \(quoted(opened)) is open"
        case .unclosedElement(let name): "\(quoted(name)) is never closed"
        case .unclosedTag: "a tag is not finished with '>'"
        case .lessThanInValue: "an attribute's value has a '<' in it"
        case .valueWithoutQuotes: "an attribute's value has no quotes"
        case .unclosedValue: "an attribute's value does not end"
        case .attributeWithoutValue(let name): "the attribute \(quoted(name)) has no value"
        case .repeatedAttribute(let name): "the attribute \(quoted(name)) is given twice"
        case .missingSpace: "a space or the end of the tag is expected here"
        case .illegalName: "a name is expected here"
        case .illegalAttributeName:
            "the name of an attribute or the end of the tag is expected here"
        case .unknownEntity(let name): "there is no entity \(quoted(name))"
        case .bareAmpersand: "this '&' does not start an entity"
        case .illegalCharacter: "this character is not allowed in XML"
        case .illegalReference: "this reference does not name a character that XML allows"
        case .lateDeclaration: "the XML declaration is not at the start of the document"
        case .unclosedComment: "a comment does not end"
        case .hyphensInComment: "a comment has '--' in it"
        case .unclosedCharacterData: "a CDATA section does not end"
        case .strayCharacterDataEnd: "']]>' occurs outside a CDATA section"
        case .unknownPrefix(let prefix, _):
            "no namespace is declared for the prefix \(quoted(prefix))"
        case .other(let message): "the document is not well-formed XML: \(tidy(message))"
        }
    }

    fileprivate var help: String? {
        switch self {
        case .notXML: "begin with '<application application=\"…\" vendor=\"…\">'"
        case .contentAfterRoot: "a document has one root element, 'application'; remove the rest"
        case .mismatchedTag(let opened, _): "write '</\(plain(opened))>' before it"
        case .unclosedElement(let name): "write '</\(plain(name))>' after its content"
        case .unclosedTag: "write '>' or '/>', and quotes around each value"
        case .lessThanInValue: "write '&lt;' for it, or close the value before it"
        case .valueWithoutQuotes: "write quotes around it"
        case .unclosedValue: "write the closing quote"
        case .attributeWithoutValue(let name): "write '\(plain(name))=\"…\"'"
        case .repeatedAttribute: "keep one of them"
        case .missingSpace: "put a space between attributes; names have no special characters"
        case .illegalName: "a name begins with a letter or '_'; for a '<' in a text write '&lt;'"
        case .illegalAttributeName: "write '>' or '/>'; a name begins with a letter or '_'"
        case .unknownEntity:
            "the entities are '&amp;', '&lt;', '&gt;', '&quot;', '&apos;' and '&#…;'"
        case .bareAmpersand: "write '&amp;' for it, or ';' after the entity"
        case .illegalCharacter: "remove it"
        case .illegalReference: "write the number of a character that XML allows"
        case .lateDeclaration: "move '<?xml …?>' to the start, before any space, or remove it"
        case .unclosedComment: "write '-->'"
        case .hyphensInComment: "write one '-', or end the comment with '-->'"
        case .unclosedCharacterData: "write ']]>'"
        case .strayCharacterDataEnd: "write ']]&gt;'"
        case .unknownPrefix(let prefix, let namespace):
            "declare it with 'xmlns:\(plain(prefix))=\"\(namespace ?? "…")\"'"
                + (namespace == ownNamespace ? " in 'application'" : "")
        case .other: nil
        }
    }
}

/// Removes libxml2's capital letter and full stop.
private func tidy(_ message: String) -> String {
    let line = message.prefix { !$0.isNewline }
    return plain(line.prefix(1).lowercased() + line.dropFirst())
}

/// A problem is named after the function that builds it, so the id cannot diverge.
extension Problem {
    static func error(
        _ message: String, at range: Range<Int>, help: String? = nil,
        related: [RelatedRange] = [], id: StaticString = #function
    ) -> Problem {
        Problem(
            severity: .error, id: baseName(id), range: range, message: message, help: help,
            related: related)
    }

    static func warning(
        _ message: String, at range: Range<Int>, help: String? = nil,
        related: [RelatedRange] = [], id: StaticString = #function
    ) -> Problem {
        Problem(
            severity: .warning, id: baseName(id), range: range, message: message, help: help,
            related: related)
    }

    static func note(
        _ message: String, at range: Range<Int>, help: String? = nil,
        id: StaticString = #function
    ) -> Problem {
        Problem(
            severity: .note, id: baseName(id), range: range, message: message, help: help,
            related: [])
    }
}

/// Maps `unknownRole(_:known:at:)` to `unknownRole`.
private func baseName(_ function: StaticString) -> String {
    "\(function)".prefix { $0 != "(" }.description
}
