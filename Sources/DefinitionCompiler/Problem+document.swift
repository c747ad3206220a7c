/// The sentences about a document as such: its bytes, its limits and its XML.
///
/// One voice in all sentences of this room: lower case, no full stop, names quoted; what was
/// found, then in `help` what to do. Each factory's name is the id of its diagnostic.
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
            "the document is in \(quoted(name)), an encoding that is not read here", at: range,
            help: "save it as UTF-8")
    }

    static func encodingMismatch(
        declared: String, actual: String, at range: Range<Int>
    ) -> Problem {
        .error(
            "the document says that it is in \(quoted(declared)), but its bytes are "
                + quoted(actual), at: range,
            help: "write 'encoding=\"\(actual)\"', or leave the encoding out")
    }

    static func invalidBytes(of encoding: String, at range: Range<Int>) -> Problem {
        .error(
            "here are bytes that are no text in \(quoted(encoding))", at: range,
            help: encoding == "UTF-8"
                ? "save the document as UTF-8, or declare the encoding that it has"
                : "save the document as UTF-8; it may have been cut off")
    }

    static func nulCharacter(at range: Range<Int>) -> Problem {
        .error(
            "here is a NUL character, which no XML document may have", at: range,
            help: "remove it; the document may be damaged or not be text at all")
    }

    static func documentTypeRefused(at range: Range<Int>) -> Problem {
        .error(
            "the document declares a document type, which is not read here", at: range,
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
            at: range, help: "remove those that mean nothing here, or raise the limit")
    }

    static func tooManyProblems(more: Int, limit: Int, at range: Range<Int>) -> Problem {
        .note(
            "there are \(more) more problems than the limit 'max-diagnostics' of \(limit)",
            at: range, help: "mend these first, or raise the limit")
    }

    static func malformed(
        _ malformation: Malformation, at range: Range<Int>, openElement: Range<Int>?
    ) -> Problem {
        .error(
            malformation.message, at: range, help: malformation.help,
            related: openElement.map { [RelatedRange(range: $0, message: "it starts here")] } ?? [])
    }
}

extension Malformation {
    fileprivate var message: String {
        switch self {
        case .notXML: "the document is not XML: no element starts here"
        case .contentAfterRoot: "there is more after the end of the root element"
        case .mismatchedTag(let opened, let closed):
            "\(quoted(closed)) is closed here, but \(quoted(opened)) is open"
        case .unclosedElement(let name): "\(quoted(name)) is never closed"
        case .unclosedTag: "a tag is not finished with '>'"
        case .lessThanInValue: "an attribute's value has a '<' in it"
        case .valueWithoutQuotes: "an attribute's value has no quotes"
        case .unclosedValue: "an attribute's value does not end"
        case .attributeWithoutValue(let name): "the attribute \(quoted(name)) has no value"
        case .repeatedAttribute(let name): "the attribute \(quoted(name)) is given twice"
        case .missingSpace: "here should be a space or the end of the tag"
        case .illegalName: "here should be a name"
        case .illegalAttributeName: "here should be the name of an attribute, or the tag's end"
        case .unknownEntity(let name): "there is no entity \(quoted(name))"
        case .bareAmpersand: "an '&' starts no entity"
        case .illegalCharacter: "here is a character that no XML document may have"
        case .illegalReference: "this reference names no character of XML"
        case .lateDeclaration: "an XML declaration stands elsewhere than at the very start"
        case .unclosedComment: "a comment does not end"
        case .hyphensInComment: "a comment has '--' in it"
        case .unclosedCharacterData: "a CDATA section does not end"
        case .strayCharacterDataEnd: "']]>' stands outside of a CDATA section"
        case .unknownPrefix(let prefix): "no namespace is declared for the prefix \(quoted(prefix))"
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
        case .unknownEntity: "there are '&amp;', '&lt;', '&gt;', '&quot;', '&apos;' and '&#…;'"
        case .bareAmpersand: "write '&amp;' for it, or ';' after the entity"
        case .illegalCharacter: "remove it"
        case .illegalReference: "write the number of a character that XML allows"
        case .lateDeclaration: "move '<?xml …?>' to the start, before any space, or remove it"
        case .unclosedComment: "write '-->'"
        case .hyphensInComment: "write one '-', or end the comment with '-->'"
        case .unclosedCharacterData: "write ']]>'"
        case .strayCharacterDataEnd: "write ']]&gt;'"
        case .unknownPrefix(let prefix): "declare it with 'xmlns:\(plain(prefix))=\"…\"'"
        case .other: nil
        }
    }
}

/// As we begin and end a message.
private func tidy(_ message: String) -> String {
    let line = message.prefix { !$0.isNewline }
    return plain(line.prefix(1).lowercased() + line.dropFirst())
}

/// A problem is named after the function that words it, so that its id cannot drift.
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

/// Of `unknownRole(_:known:at:)`, `unknownRole`.
private func baseName(_ function: StaticString) -> String {
    "\(function)".prefix { $0 != "(" }.description
}
