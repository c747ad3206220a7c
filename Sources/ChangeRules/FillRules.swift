package import DefinitionModel
package import JSON

/// Fill rules, prepared for one definition. Rules that do not fit it, such as one for a field that
/// the definition does not have, are left out.
package struct FillRules: Hashable, Sendable {
    fileprivate struct FieldFill: Hashable, Sendable {
        let field: Field
        let source: Source

        enum Source: Hashable, Sendable {
            case constant(FieldValue)
            case field(String)
        }
    }

    /// By model, in the order of the rules.
    private let byModel: [String: [FieldFill]]

    package static let none = FillRules([], for: [])

    package init(_ rules: [FillRule], for definition: Definition) {
        self.init(rules, for: definition.models)
    }

    private init(_ rules: [FillRule], for models: [Model]) {
        var byModel: [String: [FieldFill]] = [:]
        for rule in rules {
            guard let model = models.first(where: { $0.name == rule.model }),
                let field = model.fields.first(where: { $0.name == rule.field }),
                let source = FieldFill.Source(rule.source, of: field)
            else { continue }
            byModel[model.name, default: []].append(FieldFill(field: field, source: source))
        }
        self.byModel = byModel
    }

    package var isEmpty: Bool { byModel.isEmpty }

    package func hasRules(forModel model: String) -> Bool { byModel[model] != nil }

    /// The names of the fields of a model that have a rule.
    package func fields(ofModel model: String) -> [String] {
        byModel[model]?.map(\.field.name) ?? []
    }

    /// The unique fields of a model that have a rule. If it gives one value to several records,
    /// only one of them can have it.
    package func uniqueFields(ofModel model: String) -> [Field] {
        byModel[model]?.map(\.field).filter(\.isUnique) ?? []
    }

    /// The value that the rule of a field gives to a record with these values. Nil without a rule,
    /// and if the rule gives no value that the definition takes.
    package func value(
        of field: String, ofModel model: String, from values: [String: JSONValue]
    ) -> FieldValue? {
        byModel[model]?.first { $0.field.name == field }?.value(from: values)
    }

    /// Returns the values that the rules of a model add to a record with these values.
    package func completion(
        of values: [String: JSONValue], ofModel model: String
    ) -> Completion {
        var completion = Completion()
        for fill in byModel[model] ?? [] where fill.field.refuses(values[fill.field.name]) {
            if let value = fill.value(from: values) {
                completion.values[fill.field.name] = JSONValue(value)
            } else {
                completion.missing.append(fill.field.name)
            }
        }
        return completion
    }

    /// The values that rules give to the fields of `names` that a new record leaves empty.
    package func values(
        of names: Set<String>, leftOpenBy fields: [String: GivenValue], in model: ModelRules
    ) -> [String: FieldValue] {
        let open = names.filter { fields[$0] ?? .null == .null }
        guard !open.isEmpty else { return [:] }
        let known = fields.mapValues(\.json).filter { $0.value != .null }
            .merging(model.defaults.mapValues { JSONValue($0) }) { given, _ in given }
        var values: [String: FieldValue] = [:]
        for name in open { values[name] = value(of: name, ofModel: model.model.name, from: known) }
        return values
    }

    /// The records that constants name, with the model of which they must be, by guid.
    package var namedRecords: [String: String] {
        var named: [String: String] = [:]
        for fill in byModel.values.joined() {
            guard case .constant(.reference(let guid)) = fill.source,
                case .belongsTo(let relation) = fill.field.type
            else { continue }
            named[guid] = relation.model
        }
        return named
    }

    /// The values that a record gets, and the fields that stay as they are.
    package struct Completion: Hashable, Sendable {
        package internal(set) var values: [String: JSONValue] = [:]
        /// Fields whose rule gives no value that the definition takes.
        package internal(set) var missing: [String] = []

        package init() {}

        package var isEmpty: Bool { values.isEmpty && missing.isEmpty }
    }
}

extension FillRules.FieldFill {
    fileprivate func value(from values: [String: JSONValue]) -> FieldValue? {
        switch source {
        case .constant(let value): value
        case .field(let name):
            values[name].flatMap { FieldValue($0, of: field.type.name) }.flatMap {
                field.type.violations(of: $0).isEmpty ? field.type.canonical($0) : nil
            }
        }
    }
}

extension FillRules.FieldFill.Source {
    /// Nil for a constant that the field does not take.
    fileprivate init?(_ source: FillRule.Source, of field: Field) {
        switch source {
        case .constant(let json):
            guard let value = FieldValue(json, of: field.type.name),
                field.type.violations(of: value).isEmpty
            else { return nil }
            self = .constant(field.type.canonical(value))
        case .field(let name): self = .field(name)
        case .defaultValue:
            guard let value = field.defaultValue else { return nil }
            self = .constant(field.type.canonical(value))
        }
    }
}

extension Field {
    /// Whether the definition would refuse a stored value, were it given now.
    package func refuses(_ stored: JSONValue?) -> Bool {
        guard let stored, stored != .null else { return isRequired }
        // The values of an earlier type are refused by the deployment itself.
        return FieldValue(stored, of: type.name).map { !type.violations(of: $0).isEmpty } ?? false
    }
}
