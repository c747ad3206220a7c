/// What becomes of the records that are stored under a model's name.
struct ModelRenaming: Hashable, Sendable {
    /// The model that they are of from now on; its name may be the same.
    let model: String
    /// Fields that keep their names are not here.
    let fields: [FieldRenaming]

    /// Where the value of a field is stored.
    func sources(of field: String) -> [String] {
        fields.first { $0.name == field }?.sources ?? [field]
    }

    /// `choose` gets what is there of one field under its names, at least one, in their order.
    func renamed<Value>(
        _ stored: [String: Value], choosing choose: ([Value]) -> Value
    ) -> [String: Value] {
        fields.reduce(into: stored) { result, field in
            let found = field.sources.compactMap { stored[$0] }
            for name in field.sources { result[name] = nil }
            result[field.name] = found.isEmpty ? nil : choose(found)
        }
    }
}

/// Where the value of a renamed field is, in a record and in its history.
struct FieldRenaming: Hashable, Sendable {
    /// Its name from now on.
    let name: String
    /// The names that it had, the last one first: under the first one that is there is the value,
    /// and what is under the others is forgotten. So is what is under its new name, unless that is
    /// one of these: it is of another field, which was called so once.
    let sources: [String]
}
