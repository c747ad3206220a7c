package import ChangeRules
import DefinitionModel
import JSON

/// An operand of a client's query, as the served definition has it.
private enum ServedOperand {
    /// The field that decides the type is nil for a property such as `$owner`, and for a name that
    /// the client does not know.
    case name(String, FieldTranslation?)
    /// The value that the client reads of a field that is not served; nil is null.
    case constant(FieldValue?, FieldTypeName)
}

extension ClientTranslation {
    /// An operand of a query of a client's model in the words of the served definition: a field
    /// (`title`), a field of a related record (`folder.name`) or a property (`$owner`). A name that
    /// the client does not know is returned unchanged, and nil for a field that is not served: it
    /// is the same in all records, so that it orders none.
    package func servedOperand(_ operand: String, ofModel name: String) -> String? {
        guard case .name(let served, _) = self.operand(operand, ofModel: name) else { return nil }
        return served
    }

    /// A filter in the words of the served definition. A field that is not served counts as what
    /// the client reads of it.
    package func servedFilter(_ filter: QueryFilter, ofModel name: String) -> QueryFilter {
        let operand = { self.operand($0, ofModel: name) }
        switch filter {
        case .and(let parts): return .and(parts.map { servedFilter($0, ofModel: name) })
        case .or(let parts): return .or(parts.map { servedFilter($0, ofModel: name) })
        case .not(let part): return .not(servedFilter(part, ofModel: name))
        case .compare(let comparison, let left, .value(let value)):
            return operand(left).compared(comparison, to: value)
        case .compare(let comparison, let left, .field(let right)):
            return operand(left).compared(comparison, to: operand(right))
        case .among(let left, let values): return operand(left).among(values)
        case .between(let left, let low, let high):
            return operand(left).between(low, high)
        case .like(let left, let pattern):
            return operand(left).tested { .like(operand: $0, pattern: pattern) }
        case .prefix(let left, let text): return operand(left).tested { .prefix(operand: $0, text) }
        case .null(let left): return operand(left).null
        case .within(let left, let area): return operand(left).tested { .within(operand: $0, area) }
        case .inside(let left, let condition):
            return operand(left).tested { .inside(operand: $0, condition) }
        case .computes(let comparison, let left, let right):
            guard let left = computed(left, operand), let right = computed(right, operand) else {
                return .or([])
            }
            return .computes(comparison, left, right)
        }
    }

    private func operand(_ operand: String, ofModel name: String) -> ServedOperand {
        if let distance = DistanceName(operand) {
            switch self.operand(distance.field, ofModel: name) {
            case .name(let field, _): return .name(distance.of(field).text, nil)
            case .constant: return .constant(nil, .decimal)
            }
        }
        let parts = operand.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let first = parts.first, let model = model(calledByClient: name) else {
            return .name(operand, nil)
        }
        guard let field = model.field(calledByClient: first) else {
            guard let gone = model.unserved.first(where: { $0.name == first }) else {
                return .name(operand, nil)
            }
            let value = parts.count == 1 ? gone.valueIfUnserved : .null
            return .constant(FieldValue(value, of: gone.type.name), gone.type.name)
        }
        guard parts.count == 2 else { return .name(field.served.name, field) }
        guard case .belongsTo(let relation) = field.client.type else { return .name(operand, nil) }
        switch self.operand(parts[1], ofModel: relation.model) {
        case .name(let rest, let last): return .name("\(field.served.name).\(rest)", last)
        case .constant(_, let type): return .constant(nil, type)
        }
    }

    /// Nil for null.
    private func computed(
        _ value: ComputedValue, _ served: (String) -> ServedOperand
    ) -> ComputedValue? {
        switch value {
        case .operand(let operand): return served(operand).computed
        case .constant: return value
        case .call(let function, let parts):
            let values = parts.compactMap { computed($0, served) }
            return values.count == parts.count ? .call(function, values) : nil
        }
    }
}

/// A null neither compares nor matches.
extension ServedOperand {
    /// Nil for null.
    var computed: ComputedValue? {
        switch self {
        case .name(let name, _): .operand(name)
        case .constant(let value, _): value.map { .constant($0) }
        }
    }

    var null: QueryFilter {
        switch self {
        case .name(let name, _): .null(operand: name)
        case .constant(nil, _): .and([])
        case .constant: .or([])
        }
    }

    /// A test that no default and no placeholder is made for.
    func tested(_ filter: (String) -> QueryFilter) -> QueryFilter {
        guard case .name(let name, _) = self else { return .or([]) }
        return filter(name)
    }

    func compared(
        _ comparison: QueryFilter.Comparison, to value: JSONValue
    ) -> QueryFilter {
        switch self {
        case .name(let name, let field):
            if let fraction = field?.fraction(value) {
                return .computes(comparison, .operand(name), .constant(fraction))
            }
            return .compare(
                comparison, operand: name, with: .value(field?.servedValue(value) ?? value))
        case .constant(let constant, let type):
            guard let constant, let value = FieldValue(value, of: type) else { return .or([]) }
            return .computes(comparison, .constant(constant), .constant(value))
        }
    }

    func compared(
        _ comparison: QueryFilter.Comparison, to other: ServedOperand
    ) -> QueryFilter {
        if case (.name(let left, _), .name(let right, _)) = (self, other) {
            return .compare(comparison, operand: left, with: .field(right))
        }
        guard let left = computed, let right = other.computed else { return .or([]) }
        return .computes(comparison, left, right)
    }

    /// No whole number is one of the fractions.
    func among(_ values: [JSONValue]) -> QueryFilter {
        switch self {
        case .name(let name, let field):
            .among(
                operand: name,
                values.filter { field?.fraction($0) == nil }.map { field?.servedValue($0) ?? $0 })
        case .constant: .or(values.map { compared(.eq, to: $0) })
        }
    }

    func between(_ low: JSONValue, _ high: JSONValue) -> QueryFilter {
        if case .name(let name, let field) = self, field?.fraction(low) == nil,
            field?.fraction(high) == nil
        {
            return .between(
                operand: name, low: field?.servedValue(low) ?? low,
                high: field?.servedValue(high) ?? high)
        }
        return .and([compared(.ge, to: low), compared(.le, to: high)])
    }
}

extension FieldTranslation {
    /// A decimal that is no value of the served field, which has whole numbers; nil for any other
    /// value.
    fileprivate func fraction(_ value: JSONValue) -> FieldValue? {
        guard client.type.name == .decimal, served.type.name == .integer,
            let decimal = FieldValue(value, of: .decimal),
            FieldValue(servedValue(value), of: .integer) == nil
        else { return nil }
        return decimal
    }
}
