import CLibXML2

/// The reason why a document is not well-formed XML.
enum ParseError {
    case notXML
    case contentAfterRoot
    case mismatchedTag(opened: String, closed: String)
    case unclosedElement(String)
    case unclosedTag
    case lessThanInValue
    case valueWithoutQuotes
    case unclosedValue
    case attributeWithoutValue(String)
    case repeatedAttribute(String)
    case missingSpace
    case illegalName
    case illegalAttributeName
    case unknownEntity(String)
    case bareAmpersand
    case illegalCharacter
    case illegalReference
    case lateDeclaration
    case unclosedComment
    case hyphensInComment
    case unclosedCharacterData
    case strayCharacterDataEnd
    /// `namespace` is the probable one; nil if nothing points to one.
    case unknownPrefix(String, namespace: String?)
    /// The message of libxml2, for rare errors without a message of our own.
    case other(String)
}

extension ParseError {
    /// Maps an error of libxml2.
    init(_ error: xmlError) {
        let name = error.str1.map { String(cString: $0) } ?? ""
        let message = error.message.map { String(cString: $0) } ?? ""
        self =
            switch xmlParserErrors(UInt32(bitPattern: error.code)) {
            case XML_ERR_DOCUMENT_EMPTY: .notXML
            case XML_ERR_DOCUMENT_END: .contentAfterRoot
            case XML_ERR_TAG_NAME_MISMATCH:
                .mismatchedTag(
                    opened: name, closed: error.str2.map { String(cString: $0) } ?? "")
            case XML_ERR_TAG_NOT_FINISHED: .unclosedElement(name)
            case XML_ERR_GT_REQUIRED: .unclosedTag
            case XML_ERR_LT_IN_ATTRIBUTE: .lessThanInValue
            case XML_ERR_ATTRIBUTE_NOT_STARTED: .valueWithoutQuotes
            case XML_ERR_ATTRIBUTE_NOT_FINISHED: .unclosedValue
            case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: .attributeWithoutValue(name)
            case XML_ERR_ATTRIBUTE_REDEFINED: .repeatedAttribute(name)
            case XML_ERR_SPACE_REQUIRED: .missingSpace
            case XML_ERR_UNDECLARED_ENTITY: .unknownEntity(name)
            case XML_ERR_ENTITYREF_SEMICOL_MISSING: .bareAmpersand
            case XML_ERR_NAME_REQUIRED where message.contains("EntityRef"): .bareAmpersand
            case XML_ERR_NAME_REQUIRED where message.contains("attribute"): .illegalAttributeName
            case XML_ERR_NAME_REQUIRED: .illegalName
            case XML_ERR_INVALID_CHAR where message.contains("CharRef"): .illegalReference
            case XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF: .illegalReference
            case XML_ERR_INVALID_CHAR: .illegalCharacter
            case XML_ERR_RESERVED_XML_NAME: .lateDeclaration
            case XML_ERR_COMMENT_NOT_FINISHED: .unclosedComment
            case XML_ERR_HYPHEN_IN_COMMENT: .hyphensInComment
            case XML_ERR_CDATA_NOT_FINISHED: .unclosedCharacterData
            case XML_ERR_MISPLACED_CDATA_END: .strayCharacterDataEnd
            case XML_NS_ERR_UNDEFINED_NAMESPACE:
                .unknownPrefix(
                    name,
                    namespace: probableNamespace(
                        ofPrefix: name, for: error.str2.map { String(cString: $0) } ?? ""))
            default: .other(message)
            }
    }

    /// The range to underline if the parser stopped at this byte.
    func range(endingAt offset: Int, in text: SourceText) -> Range<Int> {
        switch self {
        case .mismatchedTag, .unclosedTag, .unclosedValue, .lateDeclaration:
            stretch(from: "<", to: offset, in: text)
        case .unknownPrefix(let prefix, _):
            nameRange(withPrefix: prefix, in: stretch(from: "<", to: offset, in: text), of: text)
        case .unknownEntity, .bareAmpersand, .illegalReference:
            stretch(from: "&", to: offset, in: text)
        case .unclosedComment: stretch(from: "<!--", to: offset, in: text)
        case .unclosedCharacterData: stretch(from: "<![CDATA[", to: offset, in: text)
        case .notXML, .contentAfterRoot, .unclosedElement, .lessThanInValue, .valueWithoutQuotes,
            .attributeWithoutValue, .repeatedAttribute, .missingSpace, .illegalName,
            .illegalAttributeName, .illegalCharacter, .hyphensInComment, .strayCharacterDataEnd,
            .other:
            offset..<min(offset + 1, text.bytes.count)
        }
    }

    /// Whether the message should show the start of the innermost open element.
    var concernsOpenElement: Bool {
        switch self {
        case .mismatchedTag, .unclosedElement: true
        case .notXML, .contentAfterRoot, .unclosedTag, .lessThanInValue, .valueWithoutQuotes,
            .unclosedValue, .attributeWithoutValue, .repeatedAttribute, .missingSpace,
            .illegalName, .illegalAttributeName, .unknownEntity, .bareAmpersand,
            .illegalCharacter, .illegalReference, .lateDeclaration, .unclosedComment,
            .hyphensInComment, .unclosedCharacterData, .strayCharacterDataEnd, .unknownPrefix,
            .other:
            false
        }
    }
}

/// The namespace of Waggle's attributes if the prefix or the name behind it is theirs, and that of
/// definitions if the name is one of its elements.
private func probableNamespace(ofPrefix prefix: String, for name: String) -> String? {
    if prefix == "w" || ElementSchema.allOwnAttributes.contains(name) { return ownNamespace }
    return name == ElementSchema.application.name ? languageNamespace : nil
}

/// The range of the first name with the prefix in a tag; the whole tag if there is none.
private func nameRange(
    withPrefix prefix: String, in tag: Range<Int>, of text: SourceText
) -> Range<Int> {
    let bytes = text.bytes[tag]
    let mark = Array("\(prefix):".utf8)
    let start = bytes.indices.first { index in
        index > tag.lowerBound && endsName(bytes[index - 1])
            && bytes[index...].starts(with: mark)
    }
    guard let start else { return tag }
    return start..<(bytes[start...].firstIndex(where: endsName) ?? tag.upperBound)
}

/// Whether a byte stands before or after a name in a tag.
private func endsName(_ byte: UInt8) -> Bool {
    " \t\r\n<>/=".utf8.contains(byte)
}

/// The range from the last occurrence of `mark` before an offset to the offset.
private func stretch(from mark: String, to offset: Int, in text: SourceText) -> Range<Int> {
    let before = text.bytes[..<offset]
    let start = before.indices.last { before[$0...].starts(with: mark.utf8) }
    return (start ?? offset)..<offset
}
