import ChangeRules
import DefinitionModel
import ForeignValues

/// An expression of the question language (OData), as written. Its fields need not exist.
indirect enum QuestionExpression: Hashable, Sendable {
    /// Nil is null.
    case constant(FieldValue?)
    case field(String)
    case call(ComputedFunction, [QuestionExpression])
    case compare(QueryFilter.Comparison, QuestionExpression, QuestionExpression)
    case among(QuestionExpression, [QuestionExpression])
    case all([QuestionExpression])
    case any([QuestionExpression])
    case not(QuestionExpression)
}

extension QuestionExpression {
    /// The parts that must all hold.
    var conjuncts: [QuestionExpression] {
        guard case .all(let parts) = self else { return [self] }
        return parts.flatMap(\.conjuncts)
    }

    /// The texts that are compared with relations of a table, by the model to which they refer.
    func relatedIDs(in table: Table) -> [String: Set<String>] {
        let parts = parts
        let ids = parts.compactMap(\.text)
        let models = parts.compactMap { $0.target(in: table) }
        var found = Dictionary(models.map { ($0, Set(ids)) }) { first, _ in first }
        for part in parts {
            found.merge(part.relatedIDs(in: table)) { $0.union($1) }
        }
        return found
    }

    private var parts: [QuestionExpression] {
        switch self {
        case .constant, .field: []
        case .call(_, let parts), .all(let parts), .any(let parts): parts
        case .compare(_, let left, let right): [left, right]
        case .among(let value, let list): [value] + list
        case .not(let part): [part]
        }
    }

    private var text: String? {
        guard case .constant(.text(let text)?) = self else { return nil }
        return text
    }

    private func target(in table: Table) -> String? {
        guard case .field(let name) = self, let field = table.column(named: name) else {
            return nil
        }
        return TableOperand.field(field).target
    }

    /// The lower bound of the time of the last change that this comparison sets; nil for anything
    /// else.
    func changeBound(
        _ dialect: ClientGeneration
    ) -> (comparison: QueryFilter.Comparison, milliseconds: Int64)? {
        guard case .compare(let comparison, .field(let name), .constant(.date(let time)?)) = self,
            dialect.property(named: name) == .updatedAt
        else { return nil }
        switch comparison {
        case .ge, .gt: return (comparison, time)
        case .eq, .ne, .le, .lt: return nil
        }
    }
}
