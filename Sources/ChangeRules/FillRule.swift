package import DefinitionModel
package import JSON

/// Says which value a deployment gives to a field if the definition refuses what is stored: no
/// value in a required field, or one that breaks a limit.
package struct FillRule: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// A value of the field's type, as it is stored.
        case constant(JSONValue)
        /// The value of another field of the same record, which may be gone from the definition.
        case field(String)
        /// The default of the definition.
        case defaultValue
    }

    package let model: String
    package let field: String
    package let source: Source

    package init(model: String, field: String, source: Source) {
        self.model = model
        self.field = field
        self.source = source
    }

    /// The maximum number of rules of a deployment.
    package static let most = 1000

    /// Whether both are about the same field.
    package func hasSameField(as other: FillRule) -> Bool {
        model == other.model && field == other.field
    }

    /// Converts a constant that people wrote as text, such as `3` or `2026-01-31`, to the type of
    /// the field. Any other rule is returned unchanged.
    package func readingText(for definition: Definition) -> FillRule {
        let target = definition.models.first { $0.name == model }?
            .fields.first { $0.name == field }
        guard case .constant(.string(let text)) = source, let target,
            let value = FieldValue(written: text, of: target.type.name)
        else { return self }
        return FillRule(model: model, field: field, source: .constant(JSONValue(value)))
    }

    /// The field's name for people: `Film.score`.
    package var subject: String { "\(model).\(field)" }
}

// MARK: - JSON

extension FillRule {
    /// Reads `{"model": …, "field": …}` with one of the members `value`, `from` and `default`. Nil
    /// if it is not that.
    package init?(_ json: JSONValue) {
        guard case .object(let members) = json, members.count == 3,
            case .string(let model)? = members["model"],
            case .string(let field)? = members["field"]
        else { return nil }
        self.init(model: model, field: field, members)
    }

    private init?(model: String, field: String, _ members: [String: JSONValue]) {
        if let value = members["value"] {
            self.init(model: model, field: field, source: .constant(value))
        } else if case .string(let other)? = members["from"] {
            self.init(model: model, field: field, source: .field(other))
        } else if members["default"] == .boolean(true) {
            self.init(model: model, field: field, source: .defaultValue)
        } else {
            return nil
        }
    }

    package var json: JSONValue {
        let (name, value): (String, JSONValue) =
            switch source {
            case .constant(let value): ("value", value)
            case .field(let other): ("from", .string(other))
            case .defaultValue: ("default", .boolean(true))
            }
        return .object(["model": .string(model), "field": .string(field), name: value])
    }
}
