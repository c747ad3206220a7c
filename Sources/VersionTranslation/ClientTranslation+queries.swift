package import ChangeRules
import DefinitionModel

extension ClientTranslation {
    /// An operand of a query of a client's model in the words of the served definition: a field
    /// (`title`), a field of a related record (`folder.name`) or a property (`$owner`). A name that
    /// is not served is returned unchanged.
    package func servedOperand(_ operand: String, ofModel name: String) -> String {
        if let distance = DistanceName(operand) {
            return distance.of(servedOperand(distance.field, ofModel: name)).text
        }
        let parts = operand.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let model = model(calledByClient: name),
            let field = model.field(calledByClient: String(first))
        else { return operand }
        guard parts.count == 2 else { return field.served.name }
        guard case .belongsTo(let relation) = field.client.type else { return operand }
        return field.served.name + "."
            + servedOperand(String(parts[1]), ofModel: relation.model)
    }

    package func servedFilter(_ filter: QueryFilter, ofModel name: String) -> QueryFilter {
        let served = { servedOperand($0, ofModel: name) }
        switch filter {
        case .and(let parts): return .and(parts.map { servedFilter($0, ofModel: name) })
        case .or(let parts): return .or(parts.map { servedFilter($0, ofModel: name) })
        case .not(let part): return .not(servedFilter(part, ofModel: name))
        case .compare(let comparison, let operand, .value(let value)):
            return .compare(comparison, operand: served(operand), with: .value(value))
        case .compare(let comparison, let operand, .field(let other)):
            return .compare(comparison, operand: served(operand), with: .field(served(other)))
        case .among(let operand, let values): return .among(operand: served(operand), values)
        case .between(let operand, let low, let high):
            return .between(operand: served(operand), low: low, high: high)
        case .like(let operand, let pattern):
            return .like(operand: served(operand), pattern: pattern)
        case .prefix(let operand, let text): return .prefix(operand: served(operand), text)
        case .null(let operand): return .null(operand: served(operand))
        case .within(let operand, let area): return .within(operand: served(operand), area)
        case .inside(let operand, let condition):
            return .inside(operand: served(operand), condition)
        case .computes(let comparison, let left, let right):
            return .computes(comparison, computed(left, served), computed(right, served))
        }
    }

    private func computed(
        _ value: ComputedValue, _ served: (String) -> String
    ) -> ComputedValue {
        switch value {
        case .operand(let operand): .operand(served(operand))
        case .constant: value
        case .call(let function, let parts): .call(function, parts.map { computed($0, served) })
        }
    }
}
