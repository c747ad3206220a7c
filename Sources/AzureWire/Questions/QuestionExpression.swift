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
