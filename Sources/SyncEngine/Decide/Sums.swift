import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// The values that the additions and edits of a change lead to.
struct Sums {
    /// By field, as stored.
    var values: [String: JSONValue] = [:]
    /// Why a result is no value of its field.
    var causes: [Cause] = []
}

/// Adds to the values of a record what a change adds to them, and makes its edits. A result that
/// its field cannot hold violates the field's limits, or has a wrong type: if 64 bits or 38 digits
/// do not hold a sum, and if an edit is made on another kind of value. All of it tells of the
/// present value, so `view` must show it.
func sums(
    of change: Change, on record: WorkingRecord, in model: ModelRules,
    seenThrough view: FieldVisibility
) -> Sums {
    var sums = Sums()
    for (name, given) in change.fields.sorted(by: { $0.key < $1.key }) {
        guard given.dependsOnPresent, let field = model.field(named: name) else { continue }
        guard view.shows(field: name) else {
            sums.causes.append(
                Cause(.notGranted(.read, level: .none), field: name, place: field.place))
            continue
        }
        let present = FieldValue(record.value(of: name), of: field.type.name)
        if present == nil, given.onlyRemovesMembers { continue }
        guard let sum = given.result(on: present, for: field, model.validator) else {
            sums.causes.append(
                Cause(.wrongType(expected: field.type.name), field: name, place: field.place))
            continue
        }
        sums.values[name] = JSONValue(sum.value)
        sums.causes += sum.causes
    }
    return sums
}

extension GivenValue {
    fileprivate var dependsOnPresent: Bool {
        switch self {
        case .added, .edited: true
        case .null, .value, .unreadable: false
        }
    }

    /// The value of a field that has had the value `present`, or null, and why it is no value of
    /// the field; nil if there is none.
    fileprivate func result(
        on present: FieldValue?, for field: Field, _ validator: Validator
    ) -> (value: FieldValue, causes: [Cause])? {
        switch self {
        case .added(let amount):
            guard let sum = amount.added(to: present) else { return nil }
            return (sum, validator.causes(of: [field.name: .value(sum)], creating: false))
        case .edited(let edits):
            var json: JSONValue?
            if let present {
                guard case .text(let text) = present, let value = JSONValue(formatted: text) else {
                    return nil
                }
                json = value
            }
            guard let result = edits.result(on: json) else { return nil }
            let text = result.text
            return (.text(text), validator.causes(ofEdited: result, text: text, in: field))
        case .null, .value, .unreadable: return nil
        }
    }
}

extension FieldValue {
    /// Nil if one of them is no number, if they are of different types, and if the sum has no
    /// exact value of the type.
    fileprivate func added(to present: FieldValue?) -> FieldValue? {
        switch (self, present) {
        case (.integer, nil), (.decimal, nil): return self
        case (.integer(let amount), .integer(let value)):
            let (sum, overflows) = value.addingReportingOverflow(amount)
            return overflows ? nil : .integer(sum)
        case (.decimal(let amount), .decimal(let value)):
            return value.adding(amount).map { .decimal($0) }
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _),
            (.reference, _), (.file, _):
            return nil
        }
    }
}
