import DefinitionModel

/// The service that exported the rows of an import.
package enum RowSource: String, Sendable, CaseIterable {
    case waggle
    /// Azure Mobile Services, Azure Mobile Apps or Datasync.
    case azure
    case parse

    /// Whether the service exports rows in a format.
    package func exports(_ format: RowFormat) -> Bool {
        switch (self, format) {
        case (.parse, .csv): false
        case (.parse, .jsonl), (.waggle, _), (.azure, _): true
        }
    }

    /// The model that the service or the definition calls so. Tables match in any case.
    func model(named name: String, in definition: Definition) -> Model? {
        let own = definition.models.first { $0.name.hasSameBytes(as: name) }
        switch self {
        case .waggle: return own
        case .azure:
            let plain = name.lowercased()
            return definition.models.first { $0.foreignName.lowercased() == plain } ?? own
        case .parse:
            return definition.models.first { $0.foreignName.hasSameBytes(as: name) } ?? own
        }
    }

    /// The members of a JSON row that may name its model.
    var modelMembers: [String] {
        switch self {
        case .waggle, .azure: ["$model"]
        case .parse: ["$model", "className"]
        }
    }
}
