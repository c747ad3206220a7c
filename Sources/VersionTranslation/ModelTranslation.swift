package import ChangeRules
package import DefinitionModel
package import JSON

/// A model that both versions have, with the fields that both have.
package struct ModelTranslation: Sendable {
    package let client: Model
    package let served: Model
    private let byClientName: [String: FieldTranslation]
    private let byServedName: [String: FieldTranslation]
    /// The client's fields that are not served: gone, not deployed yet, or of another type or
    /// related to another model now.
    package let unserved: [Field]
    /// The names under which values of the client's fields are stored.
    private let storedNames: [String: String]

    /// - Parameters:
    ///   - names: The names that the served version has for the client's fields. One that it does
    ///     not have keeps its last name.
    ///   - models: Those that it has for the client's models.
    init(client: Model, served: Model, names: [String: String], models: [String: String]) {
        self.client = client
        self.served = served
        storedNames = names
        let current = Dictionary(
            served.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let pairs = client.fields.compactMap { field in
            names[field.name].flatMap { current[$0] }
                .flatMap { FieldTranslation(client: field, served: $0, models: models) }
        }
        byServedName = unique(pairs, by: { ($0.client.name, $0.served.name) })
        let chosen = byServedName.values.map { ($0.client.name, $0) }
        let byClientName = Dictionary(chosen, uniquingKeysWith: { first, _ in first })
        self.byClientName = byClientName
        unserved = client.fields.filter { byClientName[$0.name] == nil }
    }

    /// Nil for a field that is not served, and for one that the client does not have.
    package func field(calledByClient name: String) -> FieldTranslation? { byClientName[name] }

    /// The name under which values of a field that is not served are still stored. Nil for another
    /// field, and for one whose name a served field has.
    package func storedName(ofUnserved name: String) -> String? {
        guard unserved.contains(where: { $0.name == name }), let stored = storedNames[name],
            !served.fields.contains(where: { $0.name == stored })
        else { return nil }
        return stored
    }

    /// Nil for a field that the client does not know.
    package func field(servedAs name: String) -> FieldTranslation? { byServedName[name] }

    /// The fields of a change in the words of the served definition.
    ///
    /// A null in a field that is not served says nothing and, in a new record, neither does the
    /// default or what the client reads there: generated models send it in every new record.
    /// Another value keeps its name, so that it is refused by that name: as unknown or, if the
    /// served definition has another field of that name, as unreadable. The client cannot set that
    /// one.
    ///
    /// - Parameter isNew: Whether the change creates a record.
    package func servedFields(
        _ fields: [String: JSONValue], isNew: Bool
    ) -> [String: JSONValue] {
        served(
            fields, unreadable: Self.unreadable, converted: { $0.servedValue($1) },
            saysNothing: { Self.saysNothing($0, in: $1, isNew: isNew) })
    }

    /// The same for values that a wire has read.
    package func servedFields(
        _ fields: [String: GivenValue], isNew: Bool
    ) -> [String: GivenValue] {
        served(
            fields, unreadable: .unreadable, converted: { $0.servedValue($1) },
            saysNothing: { value, field in
                switch value {
                case .null: true
                case .value(let given): isNew && field.isInitial(given)
                case .added, .edited, .unreadable: false
                }
            })
    }

    private func served<Value>(
        _ fields: [String: Value], unreadable: Value,
        converted: (FieldTranslation, Value) -> Value, saysNothing: (Value, Field) -> Bool
    ) -> [String: Value] {
        var result: [String: Value] = [:]
        for (name, value) in fields {
            if let field = byClientName[name] {
                result[field.served.name] = converted(field, value)
            }
        }
        for (name, value) in fields where byClientName[name] == nil {
            let gone = unserved.first { $0.name == name }
            if gone.map({ saysNothing(value, $0) }) ?? false { continue }
            result[name] = unreadable
        }
        return result
    }

    /// The fields of a record as the client reads them: with the default or a placeholder in the
    /// place of a null that its version does not have in the field.
    func readFields(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var read = clientFields(fields)
        for field in client.fields where field.isRequired && read[field.name] == .null {
            read[field.name] = field.valueIfUnserved
        }
        return read
    }

    /// The fields of a record as the client knows them. Fields that it does not know are left out.
    package func clientFields(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        let known = fields.compactMap { name, value in
            byServedName[name].map { ($0.client.name, $0.clientValue(value)) }
        }
        return Dictionary(known, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the value means nothing in a field that the other version does not have.
    static func saysNothing(_ value: JSONValue, in field: Field, isNew: Bool) -> Bool {
        value == .null || isNew && field.isInitial(FieldValue(value, of: field.type.name))
    }

    /// A value of no field type.
    private static let unreadable = JSONValue.array([])
}

extension Field {
    /// Whether a client has this value in the field before anybody sets it.
    fileprivate func isInitial(_ value: FieldValue?) -> Bool {
        guard let value else { return false }
        return value == defaultValue || isRequired && defaultValue == nil && value == placeholder
    }
}

/// The pairs by their second name. If several have it, the one whose own name it is counts.
func unique<Pair>(
    _ pairs: [Pair], by names: (Pair) -> (client: String, served: String)
) -> [String: Pair] {
    Dictionary(
        pairs.map { (names($0).served, $0) },
        uniquingKeysWith: { first, other in
            names(other).client == names(other).served ? other : first
        })
}
