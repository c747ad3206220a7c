package import DefinitionModel
package import JSON

/// Says what is wrong with the values that a change gives to a record of one model. Without I/O, so
/// a device refuses offline exactly what the server refuses.
///
/// It has no access to records, so its caller checks whether the record of a relation exists.
package struct Validator: Sendable {
    private let fields: [Field]
    private let names: Set<String>
    private let place: SourcePlace

    package init(_ model: Model) {
        fields = model.fields
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
        // By index: to copy a field takes longer than to check its value.
        for index in fields.indices {
            if let value = given[fields[index].name] {
                known += 1
                causes += self.causes(
                    of: value, in: fields[index], creating: creating, within: &budget)
            } else if creating && fields[index].isRequired && fields[index].defaultValue == nil {
                causes.append(
                    Cause(.empty, field: fields[index].name, place: fields[index].place))
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
        causes(field.type.violations(of: value, text: text), in: field)
    }

    private func causes(
        of value: GivenValue, in field: Field, creating: Bool, within budget: inout PatternBudget
    ) -> [Cause] {
        switch value {
        case .null:
            field.isRequired ? [Cause(.empty, field: field.name, place: field.place)] : []
        case .unreadable:
            [Cause(.wrongType(expected: field.type.name), field: field.name, place: field.place)]
        case .value(let value): causes(of: value, in: field, within: &budget)
        case .added(let value):
            // The sum is checked where it is known.
            creating ? causes(of: value, in: field, within: &budget) : []
        case .edited:
            // So is the result of edits. A new record has nothing to edit.
            creating || field.type.format?.kind != .json
                ? [
                    Cause(
                        .wrongType(expected: field.type.name), field: field.name,
                        place: field.place)
                ] : []
        }
    }

    private func causes(
        of value: FieldValue, in field: Field, within budget: inout PatternBudget
    ) -> [Cause] {
        causes(field.type.violations(of: value, within: &budget), in: field)
    }

    private func causes(_ violations: [LimitViolation], in field: Field) -> [Cause] {
        violations.map { violation in
            let place = violation.option.map(field.place(ofOption:)) ?? field.place
            return Cause(.limit(violation), field: field.name, place: place)
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
