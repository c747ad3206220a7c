import DefinitionModel

/// A credential that a diagnostic is about, with its place.
struct WrittenCredential {
    let role: Role
    let model: String
    /// Nil for a credential of the model itself.
    let field: String?
    let place: SourcePlace
    let document: Document

    /// Nil if the attribute is omitted.
    func valueRange(of attribute: String) -> Range<Int>? {
        document.element(at: place)?[attribute]?.valueRange
    }

    /// The range of the attribute's value; the element's name if the attribute is omitted.
    func range(of attribute: String) -> Range<Int> {
        document.range(of: attribute, at: place)
    }

    func rights(_ operations: Operations) -> WrittenRights {
        let attributes = operations.attributes
        return WrittenRights(
            attributes: attributes, verbs: operations.verbs, ranges: attributes.map(range(of:)))
    }

    /// A right that reaches records which the role may not read.
    func unseenWrite(_ verb: String, _ level: AccessLevel, read: AccessLevel) -> UnseenWrite {
        UnseenWrite(
            role: role.name, model: model, field: field, verb: verb, level: level, read: read,
            range: range(of: "\(verb)Allowed"), readRange: valueRange(of: "readAllowed"))
    }
}

/// Several rights of a credential that share an issue.
struct WrittenRights {
    /// Such as "createAllowed".
    let attributes: [String]
    /// Such as "create".
    let verbs: [String]
    let ranges: [Range<Int>]
}

/// A right to change records, or a field of them, that the role may not read.
struct UnseenWrite {
    let role: String
    let model: String
    let field: String?
    /// The operation, such as "update".
    let verb: String
    let level: AccessLevel
    let read: AccessLevel
    let range: Range<Int>
    /// Nil if the right to read is omitted.
    let readRange: Range<Int>?
}
