import DefinitionModel
import Mustache

/// An inverse relation: the records of another model that refer to a record.
struct InverseView {
    let inverseName: String
    /// The type of the records.
    let inverseType: String
    /// The property that refers to this record.
    let inverseProperty: String
    /// Whether it is the model's last inverse relation.
    let isLastInverse: Bool

    /// In the order of the definition. Fields take precedence for names.
    static func all(of model: Model, in context: GeneratorContext) -> [InverseView] {
        let relations = context.relations[model.name] ?? []
        let fields = model.fields.map { field in
            context.properties[model.name]?.name(of: field.name) ?? field.name
        }
        let names = CodeNames(
            of: relations.map(\.inverseName), by: context.dialect.inverses(Set(fields)))
        return relations.enumerated().map { index, relation in
            InverseView(
                inverseName: names.written(relation.inverseName),
                inverseType: context.types.name(of: relation.model),
                inverseProperty: context.property(of: relation.field, in: relation.model),
                isLastInverse: index == relations.count - 1)
        }
    }
}

extension InverseView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "inverseName": inverseName
        case "inverseType": inverseType
        case "inverseProperty": inverseProperty
        case "isLastInverse": isLastInverse
        case _: nil
        }
    }
}

extension RelationPlace {
    /// `items` if `order` is a field of `item` that refers to `order`, and `films_by_director` if
    /// `director` refers to `person`. Independent of other relations.
    fileprivate var inverseName: String {
        let isCalledLikeTarget = words(field) == words(target)
        return plural(model) + (isCalledLikeTarget ? "" : "_by_\(field)")
    }

    private func words(_ name: String) -> String {
        name.split(separator: "_").joined().lowercased()
    }
}
