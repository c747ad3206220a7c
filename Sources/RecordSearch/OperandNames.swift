import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// Resolves operand names such as `title`, `folder.name` or `$owner`.
struct OperandNames {
    let rules: Rules
    let model: ModelRules

    /// Resolves a name. If it does not exist, throws a fault with `code` at `path`.
    func operand(
        _ name: String, _ code: QueryFault.Code, at path: String
    ) throws(QueryFault) -> Operand {
        if let distance = DistanceName(name) {
            let field = try field(distance.field, of: model, code, at: path)
            guard field.type.format?.kind == .geo else {
                throw .noPlace(field.name, code, at: path)
            }
            return Operand(
                relation: nil, property: .distance(field.name, from: distance.position))
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, parts.count <= 2 else {
            throw .tooManySteps(name, code, at: path)
        }
        guard parts.count == 2 else {
            return Operand(relation: nil, property: try property(first, of: model, code, at: path))
        }
        let field = try field(first, of: model, code, at: path)
        guard case .belongsTo(let relation) = field.type,
            let related = rules.model(named: relation.model)
        else { throw .noRelation(field, code, at: path) }
        let property = try property(parts[1], of: related, code, at: path)
        guard property.isRelated else { throw .unknownProperty(parts[1], code, at: path) }
        return Operand(
            relation: Operand.Step(field: field.name, model: related.model.name),
            property: property)
    }

    /// The format of a field, of the record or of a related one.
    func format(of operand: Operand) -> TextFormat.Kind? {
        guard case .field(let name, _) = operand.property else { return nil }
        let model = operand.relation.map { rules.model(named: $0.model) } ?? model
        return model?.field(named: name)?.type.format?.kind
    }

    private func property(
        _ name: String, of model: ModelRules, _ code: QueryFault.Code, at path: String
    ) throws(QueryFault) -> Operand.Property {
        guard !name.hasPrefix("$") else {
            guard let property = Operand.properties[name] else {
                throw .unknownProperty(name, code, at: path)
            }
            return property
        }
        let field = try field(name, of: model, code, at: path)
        return .field(field.name, field.type.name)
    }

    /// Finds a field of the model itself, not of a related one.
    func field(
        _ name: String, of model: ModelRules, _ code: QueryFault.Code, at path: String
    ) throws(QueryFault) -> Field {
        guard let field = model.field(named: name) else {
            throw .unknownField(name, of: model.model, code, at: path)
        }
        return field
    }
}
