import DefinitionModel
import Mustache

/// The records that those of a model of pairs join with a record.
struct JoinView {
    let joinName: String
    /// The type of the joined records.
    let joinType: String
    /// The type of the pairs.
    let pairType: String
    /// The properties of a pair that refer to this record, and to the joined one.
    let pairOwner: String
    let pairTarget: String
    /// Whether it is the model's last join.
    let isLastJoin: Bool

    /// In the order of the definition. Fields and inverse relations take precedence for names.
    static func all(
        of model: Model, beside inverses: [InverseView], in context: GeneratorContext
    ) -> [JoinView] {
        let pairs = context.definition.models.compactMap { pair in
            pair.join.flatMap { $0.owner == model.name ? (pair.name, $0) : nil }
        }
        let fields = model.fields.map { field in
            context.properties[model.name]?.name(of: field.name) ?? field.name
        }
        let names = CodeNames(
            of: pairs.map(\.1.name),
            by: context.dialect.inverses(Set(fields + inverses.map(\.inverseName))))
        return pairs.enumerated().map { index, pair in
            let (name, join) = pair
            return JoinView(
                joinName: names.written(join.name),
                joinType: context.types.name(of: join.target),
                pairType: context.types.name(of: name),
                pairOwner: context.property(of: join.ownerField, in: name),
                pairTarget: context.property(of: join.targetField, in: name),
                isLastJoin: index == pairs.count - 1)
        }
    }
}

extension JoinView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "joinName": joinName
        case "joinType": joinType
        case "pairType": pairType
        case "pairOwner": pairOwner
        case "pairTarget": pairTarget
        case "isLastJoin": isLastJoin
        case _: nil
        }
    }
}
