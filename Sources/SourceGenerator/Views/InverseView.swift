import DefinitionModel

/// The records of another model that belong to a record, by one of its relations.
struct InverseView {
    let inverseName: String
    /// The type of the records.
    let inverseType: String
    /// Of the property by which they belong to this one.
    let inverseProperty: String
    /// Whether it is the only thing that the model has of the kind, or the last.
    let isLastInverse: Bool

    /// In the order of the definition. Fields have their names first.
    static func all(of model: Model, in scope: Scope) -> [InverseView] {
        let relations = scope.relations[model.name] ?? []
        let fields = model.fields.map { field in
            scope.properties[model.name]?.name(of: field.name) ?? field.name
        }
        let names = CodeNames(
            of: relations.map(\.inverseName), by: scope.dialect.inverses(Set(fields)))
        return relations.enumerated().map { index, relation in
            InverseView(
                inverseName: names.written(relation.inverseName),
                inverseType: scope.types.name(of: relation.model),
                inverseProperty: scope.property(of: relation.field, in: relation.model),
                isLastInverse: index == relations.count - 1)
        }
    }
}

extension RelationPlace {
    /// `items` where `order` is a field of `item` that leads to `order`, and `films_by_director`
    /// where `director` leads to `person`. No other relation of the definition changes it.
    fileprivate var inverseName: String {
        let isCalledLikeTarget = words(field) == words(target)
        return plural(model) + (isCalledLikeTarget ? "" : "_by_\(field)")
    }

    private func words(_ name: String) -> String {
        name.split(separator: "_").joined().lowercased()
    }
}
