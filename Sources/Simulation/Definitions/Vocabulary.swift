/// The names that a version has for models and fields.
///
/// In a simulation whose definition changes, devices and audits use lasting names: those that
/// models and fields had first. Only messages and what is stored have the names of a version.
struct Vocabulary: Hashable, Sendable {
    struct ModelNames: Hashable, Sendable {
        var name: String
        /// By lasting name.
        var fields: [String: String]
        /// The names that it had in earlier versions.
        var formerNames: Set<String> = []
        /// The lasting names of fields by names of earlier versions.
        var formerFields: [String: String] = [:]
    }

    /// By lasting name. Without any, all names are lasting ones.
    ///
    /// A model or field that is gone keeps its last name, under which its values are stored.
    private(set) var models: [String: ModelNames]
    private var lastingModels: [String: String] = [:]
    /// By the lasting name of the model.
    private var lastingFields: [String: [String: String]] = [:]

    init(_ models: [String: ModelNames] = [:]) {
        self.models = models
        for (lasting, names) in models {
            lastingModels[names.name] = lasting
            lastingFields[lasting] = Dictionary(
                names.fields.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        }
    }

    func own(_ model: String) -> String { models[model]?.name ?? model }

    /// - Parameter model: The lasting name.
    func own(field: String, of model: String) -> String { models[model]?.fields[field] ?? field }

    /// Nil for a name that the version never had.
    func lasting(_ model: String) -> String? {
        models.isEmpty ? model : lastingModels[model]
    }

    /// Nil for a name that the version never had.
    ///
    /// - Parameter model: The lasting name.
    func lasting(field: String, of model: String) -> String? {
        models.isEmpty ? field : lastingFields[model]?[field]
    }

    /// The same, also for a name of an earlier version.
    func lasting(presentOrFormer model: String) -> String? {
        lasting(model) ?? models.first { $0.value.formerNames.contains(model) }?.key
    }

    /// The same, also for a name of an earlier version.
    func lasting(presentOrFormer field: String, of model: String) -> String? {
        lasting(field: field, of: model) ?? models[model]?.formerFields[field]
    }
}

// MARK: - Values by names

extension Vocabulary {
    /// - Parameter model: The lasting name, as below.
    func own<Value>(_ fields: [String: Value], of model: String) -> [String: Value] {
        guard let names = models[model]?.fields else { return fields }
        return Dictionary(
            fields.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Calls `unknown` for a name that the version never had.
    func lasting<Value, Failure: Error>(
        _ fields: [String: Value], of model: String, unknown: (String) -> Failure
    ) throws(Failure) -> [String: Value] {
        guard !models.isEmpty else { return fields }
        var result: [String: Value] = [:]
        for (name, value) in fields {
            guard let lasting = lastingFields[model]?[name] else { throw unknown(name) }
            result[lasting] = value
        }
        return result
    }
}
