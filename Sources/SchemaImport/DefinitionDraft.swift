package import DefinitionModel

/// A definition that was made from a schema of another product. Read it before you deploy it:
/// a schema has no limits, and seldom says who may do what.
package struct DefinitionDraft: Hashable, Sendable {
    package var models: [DraftModel] = []
    /// A sentence for people on each part of the schema that the definition does not have.
    package var notes: [String] = []

    package init() {}
}

/// A model with the levels of its one role.
package struct DraftModel: Hashable, Sendable {
    package var name: String
    /// The name in the schema, if a model cannot have it.
    package var alias: String?
    package var fields: [DraftField] = []
    /// The name of the relation that the records are pairs of; nil for other models.
    package var joins: String?
    package var read = AccessLevel.all
    package var create = AccessLevel.all
    package var update = AccessLevel.all
    package var delete = AccessLevel.all

    package init(name: String) { self.name = name }
}

/// A field that the one role may write, and read up to its level, as far as the model lets it.
package struct DraftField: Hashable, Sendable {
    package var name: String
    /// The name in the schema, if a field cannot have it.
    package var alias: String?
    package var type: FieldTypeName
    package var isRequired = false
    package var read = AccessLevel.all
    /// As a definition writes it.
    package var defaultValue: String?
    /// By name, as a definition writes them.
    package var options: [String: String] = [:]
    /// Waggle's own attributes, in the same way.
    package var ownAttributes: [String: String] = [:]

    package init(name: String, type: FieldTypeName) {
        self.name = name
        self.type = type
    }
}

/// With the maxima of a definition: other products limit neither texts and values nor the fraction
/// of a number.
extension DraftField {
    static let longestText = 1_000_000
    static let finestScale = 30

    /// - Parameter maxLength: As the schema has it; nil for none.
    static func text(_ name: String, maxLength: Int64? = nil) -> DraftField {
        var field = DraftField(name: name, type: .text)
        let length = maxLength ?? Int64(longestText)
        field.options["maxLength"] = "\(min(Int64(longestText), max(1, length)))"
        return field
    }

    /// A number of 64 bits.
    static func wideInteger(_ name: String) -> DraftField {
        var field = DraftField(name: name, type: .integer)
        field.options = ["minValue": "\(Int64.min)", "maxValue": "\(Int64.max)"]
        return field
    }

    static func decimal(_ name: String) -> DraftField {
        var field = DraftField(name: name, type: .decimal)
        field.options["scale"] = "\(finestScale)"
        return field
    }

    static func text(_ name: String, _ format: TextFormat.Kind) -> DraftField {
        var field = DraftField(name: name, type: .text)
        field.ownAttributes["format"] = format.rawValue
        // A place has one size.
        if format != .geo { field.ownAttributes["maxBytes"] = "\(format.greatestMaxBytes)" }
        return field
    }
}

extension DraftModel {
    /// Names that the properties of records have, also in generated code.
    private static let reservedNames: Set<String> = [
        "guid", "owner", "group", "conflicted", "deleted", "modified", "s_deleted",
    ]

    /// A model under a name that a definition takes. Another name in the schema becomes the alias.
    init(called written: String, noting notes: inout [String]) {
        self.init(name: schemaName(written))
        alias = schemaAlias(of: written, called: name, noting: &notes)
    }

    /// Adds a field in the same way.
    mutating func append(_ field: DraftField, noting notes: inout [String]) {
        var field = field
        let written = field.name
        field.name = schemaName(
            written, besides: Self.reservedNames.union(fields.map(\.name)), suffix: "Field")
        field.alias = schemaAlias(of: written, in: name, called: field.name, noting: &notes)
        fields.append(field)
    }
}
