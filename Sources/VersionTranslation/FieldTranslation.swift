package import ChangeRules
package import DefinitionModel
package import JSON

/// A field that both versions have.
package struct FieldTranslation: Hashable, Sendable {
    package let client: Field
    package let served: Field

    /// Nil if the values of one are no values of the other. A whole number is a decimal, and a
    /// decimal without fraction is a whole number; all other types stand for themselves. Values of
    /// relations to different models name different records.
    ///
    /// - Parameter models: The names that the served version has for the client's models.
    init?(client: Field, served: Field, models: [String: String]) {
        switch (client.type.name, served.type.name) {
        case (.integer, .decimal), (.decimal, .integer): break
        case (let one, let other): guard one == other else { return nil }
        }
        if let target = client.type.targetModel {
            guard models[target, default: target] == served.type.targetModel else { return nil }
        }
        self.client = client
        self.served = served
    }

    /// Whether the client knows whole numbers only, and the served field may have others.
    package var isOfWholeNumbers: Bool {
        client.type.name == .integer && served.type.name == .decimal
    }

    /// A stored value as the client reads it: null if its type has no such value.
    package func clientValue(_ value: JSONValue) -> JSONValue {
        converted(value, from: served, to: client)
    }

    /// A value that the client has stored as the other version stores it.
    package func storedValue(_ value: JSONValue) -> JSONValue {
        converted(value, from: client, to: served)
    }

    /// A value of the client as the served definition reads it. One without a counterpart is
    /// returned unchanged, and refused by the rules of the field.
    package func servedValue(_ value: JSONValue) -> JSONValue {
        guard client.type.name == .decimal, served.type.name == .integer else { return value }
        switch value {
        case .string(let text), .decimal(let text):
            return DecimalNumber(text).flatMap(\.whole).map { .integer($0) } ?? value
        case .null, .boolean, .integer, .array, .object, .unrepresentable: return value
        }
    }

    /// The same for a value that a wire has read. One without a counterpart is unreadable.
    package func servedValue(_ value: GivenValue) -> GivenValue {
        switch value {
        case .value(let given): servedValue(given).map { .value($0) } ?? .unreadable
        case .added(let given): servedValue(given).map { .added($0) } ?? .unreadable
        case .null, .edited, .unreadable: value
        }
    }

    private func servedValue(_ value: FieldValue) -> FieldValue? {
        switch (value, served.type.name) {
        case (.integer(let number), .decimal): .decimal(DecimalNumber(number))
        case (.decimal(let number), .integer): number.whole.map { .integer($0) }
        case (let other, _): other
        }
    }
}

extension FieldType {
    /// The model whose records the values name; nil for a type that is no relation.
    package var targetModel: String? {
        switch self {
        case .belongsTo(let relation): relation.model
        case .text, .integer, .decimal, .boolean, .date, .file: nil
        }
    }
}

private func converted(_ value: JSONValue, from: Field, to: Field) -> JSONValue {
    switch (from.type.name, to.type.name, value) {
    case (.decimal, .integer, .string(let text)):
        DecimalNumber(text).flatMap(\.whole).map { .integer($0) } ?? .null
    case (.integer, .decimal, .integer(let number)):
        .string(DecimalNumber(number).description)
    case (_, _, let value): value
    }
}
