import DefinitionModel

/// A credential that something is to be said about: whose it is, of what, and where it stands.
struct WrittenCredential {
    let role: Role
    let model: String
    /// Nil when it is the model's own.
    let field: String?
    let place: SourcePlace
    let document: Document

    /// Nil when the attribute is left out.
    func valueRange(of attribute: String) -> Range<Int>? {
        document.element(at: place)?[attribute]?.valueRange
    }

    /// The attribute's value, or the element's name when it is left out.
    func range(of attribute: String) -> Range<Int> {
        document.range(of: attribute, at: place)
    }

    func rights(_ operations: Operations) -> WrittenRights {
        let attributes = operations.attributes
        return WrittenRights(
            attributes: attributes, verbs: operations.verbs, ranges: attributes.map(range(of:)))
    }

    /// A right that reaches further than that to read.
    func blindness(_ verb: String, _ level: AccessLevel, read: AccessLevel) -> Blindness {
        Blindness(
            role: role.name, model: model, field: field, verb: verb, level: level, read: read,
            range: range(of: "\(verb)Allowed"), readRange: valueRange(of: "readAllowed"))
    }
}

/// Some rights of a credential that have something in common.
struct WrittenRights {
    /// "createAllowed"
    let attributes: [String]
    /// "create"
    let verbs: [String]
    let ranges: [Range<Int>]
}

/// That a role may do something to records, or to a field of them, which it may not read.
struct Blindness {
    let role: String
    let model: String
    let field: String?
    /// What it may do: "update".
    let verb: String
    let level: AccessLevel
    let read: AccessLevel
    let range: Range<Int>
    /// Nil when nothing is said about reading.
    let readRange: Range<Int>?
}
