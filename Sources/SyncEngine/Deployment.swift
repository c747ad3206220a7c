package import DefinitionModel

/// Why a definition cannot take the place of another while its records are stored: a field's values
/// would be of another type than the field.
///
/// New models and fields are fine, and those that go keep their stored values unseen.
package struct StoredTypeClash: Hashable, Sendable {
    package let model: String
    package let field: String
    package let old: FieldTypeName
    package let new: FieldTypeName
    /// Of the field in the new definition.
    package let place: SourcePlace
}

/// In the order of the new definition.
package func storedTypeClashes(from old: Definition, to new: Definition) -> [StoredTypeClash] {
    let oldTypes = Dictionary(
        uniqueKeysWithValues: old.models.map { model in
            (model.name, Dictionary(uniqueKeysWithValues: model.fields.map { ($0.name, $0.type) }))
        })
    return new.models.flatMap { model in
        model.fields.compactMap { field in
            guard let type = oldTypes[model.name]?[field.name]?.name, type != field.type.name else {
                return nil
            }
            return StoredTypeClash(
                model: model.name, field: field.name, old: type, new: field.type.name,
                place: field.place)
        }
    }
}
