package import DefinitionModel
package import JSON

/// Says what is wrong with the values that a change gives to a record of one model. Without I/O, so
/// a device refuses offline exactly what the server refuses.
///
/// It has no access to records, so its caller checks whether the record of a relation exists.
package struct Validator: Sendable {
    private let fields: [CheckedField]
    private let names: Set<String>
    private let place: SourcePlace

    package init(_ model: Model) {
        fields = model.fields.map(CheckedField.init)
        names = Set(model.fields.map(\.name))
        place = model.place
    }

    /// Every cause, fields in the definition's order, then unknown ones by name.
    ///
    /// An update is answerable only for the fields it names; a creation for all of them.
    ///
    /// The texts share one budget for matching patterns. `patternSteps` receives the number of
    /// steps in addition to what it has.
    package func causes(
        of given: [String: GivenValue], creating: Bool, patternSteps: inout Int
    ) -> [Cause] {
        var budget = PatternBudget()
        defer { patternSteps += budget.taken }
        var causes: [Cause] = []
        var known = 0
        for checked in fields {
            if let value = given[checked.field.name] {
                known += 1
                causes += self.causes(
                    of: value, in: checked, creating: creating, within: &budget)
            } else if creating && checked.field.isRequired && checked.field.defaultValue == nil {
                causes.append(checked.field.cause(.empty))
            }
        }
        guard known < given.count else { return causes }
        return causes
            + given.keys.filter { !names.contains($0) }.sorted()
            .map { Cause(.unknownField($0), field: $0, place: place) }
    }

    /// The same, without the number of steps.
    package func causes(of given: [String: GivenValue], creating: Bool) -> [Cause] {
        var patternSteps = 0
        return causes(of: given, creating: creating, patternSteps: &patternSteps)
    }

    /// Every cause against the result of edits.
    ///
    /// - Parameter text: The canonical text of the value, which is not read again.
    package func causes(
        ofEdited value: JSONValue, text: String, in field: Field
    ) -> [Cause] {
        field.causes(field.type.violations(of: value, text: text))
    }

    private func causes(
        of value: GivenValue, in checked: CheckedField, creating: Bool,
        within budget: inout PatternBudget
    ) -> [Cause] {
        switch value {
        case .null: checked.field.isRequired ? [checked.field.cause(.empty)] : []
        case .unreadable: [checked.field.causeOfWrongType]
        case .value(let value): causes(of: value, in: checked, within: &budget)
        case .added(let value):
            // The sum is checked where it is known.
            creating ? causes(of: value, in: checked, within: &budget) : []
        case .edited:
            // So is the result of edits. A new record has nothing to edit.
            creating || checked.field.type.format?.kind != .json
                ? [checked.field.causeOfWrongType] : []
        }
    }

    private func causes(
        of value: FieldValue, in checked: CheckedField, within budget: inout PatternBudget
    ) -> [Cause] {
        let violations = checked.field.type.violations(of: value, within: &budget)
        return violations.isEmpty ? [] : checked.field.causes(violations)
    }
}

/// A field of a validator. A class, because to copy a field takes longer than to check its value.
private final class CheckedField: Sendable {
    let field: Field

    init(_ field: Field) { self.field = field }
}

extension Field {
    fileprivate func cause(_ reason: Cause.Reason) -> Cause {
        Cause(reason, field: name, place: place)
    }

    fileprivate var causeOfWrongType: Cause { cause(.wrongType(expected: type.name)) }

    fileprivate func causes(_ violations: [LimitViolation]) -> [Cause] {
        violations.map { violation in
            let place = violation.option.map(place(ofOption:)) ?? place
            return Cause(.limit(violation), field: name, place: place)
        }
    }
}

extension Model {
    /// The values that a new record starts with if the change gives none.
    package var defaults: [String: FieldValue] {
        Dictionary(
            uniqueKeysWithValues: fields.compactMap { field in
                field.defaultValue.map { (field.name, $0) }
            })
    }
}
