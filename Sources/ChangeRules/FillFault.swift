package import DefinitionModel
import JSON

/// The reason why a deployment does not take a fill rule.
package struct FillFault: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case modelUnknown
        case fieldUnknown
        /// Another rule has the same field.
        case repeated
        /// The field is new and not required, so that no record needs a value.
        case notNeeded
        case noDefault
        case unreadable(FieldTypeName)
        case limit(LimitViolation)
        /// The same value in all records, but the field is unique.
        case unique
        /// A file belongs to its record, so a constant would be that of another.
        case file
        /// No record of the relation's model has this guid.
        case recordMissing(guid: String)
        case sourceUnknown(String)
        /// The other field has values of another type, or names records of another model.
        case sourceOfOtherType(String)
    }

    package let rule: FillRule
    package let reason: Reason

    package init(_ rule: FillRule, _ reason: Reason) {
        self.rule = rule
        self.reason = reason
    }

    /// For people, without capital letter and full stop.
    package var message: String {
        let subject = "'\(rule.subject)'"
        return switch reason {
        case .modelUnknown: "the definition has no model '\(rule.model)'"
        case .fieldUnknown: "the model '\(rule.model)' has no field '\(rule.field)'"
        case .repeated: "\(subject) has two fill rules"
        case .notNeeded: "\(subject) is new and not required, so that no record needs a value"
        case .noDefault: "\(subject) has no default"
        case .unreadable(let type):
            CauseDescription(Cause(.wrongType(expected: type), field: rule.subject)).message
        case .limit(let violation):
            CauseDescription(Cause(.limit(violation), field: rule.subject)).message
        case .unique: "\(subject) is unique, so that records cannot share a value"
        case .file: "a file cannot be a constant, as for \(subject)"
        case .recordMissing(let guid): "there is no record '\(guid)' for \(subject) to name"
        case .sourceUnknown(let name):
            "the model '\(rule.model)' has and had no field '\(name)' to copy from"
        case .sourceOfOtherType(let name): "'\(name)' is of another type than \(subject)"
        }
    }
}

extension FillRule {
    /// Returns the faults of rules for a definition that replaces another, in the order of the
    /// rules.
    package static func faults(
        in rules: [FillRule], for definition: Definition, replacing old: Definition?
    ) -> [FillFault] {
        rules.enumerated().flatMap { place, rule -> [FillFault] in
            guard let model = definition.models.first(where: { $0.name == rule.model }) else {
                return [FillFault(rule, .modelUnknown)]
            }
            guard let field = model.fields.first(where: { $0.name == rule.field }) else {
                return [FillFault(rule, .fieldUnknown)]
            }
            if rules[..<place].contains(where: rule.hasSameField) {
                return [FillFault(rule, .repeated)]
            }
            let former = old?.models.first { model.isCalled($0.name) }
            let isNew = former.map { !$0.fields.contains { field.isCalled($0.name) } } ?? false
            if isNew, !field.isRequired { return [FillFault(rule, .notNeeded)] }
            return rule.reasons(for: field, in: model, replacing: former)
                .map { FillFault(rule, $0) }
        }
    }

    /// The rules that name a record which is not there.
    package static func faults(
        in rules: [FillRule], missing records: Set<String>
    ) -> [FillFault] {
        rules.compactMap { rule in
            guard case .constant(.string(let guid)) = rule.source, records.contains(guid) else {
                return nil
            }
            return FillFault(rule, .recordMissing(guid: guid))
        }
    }

    private func reasons(
        for field: Field, in model: Model, replacing former: Model?
    ) -> [FillFault.Reason] {
        switch source {
        case .defaultValue:
            field.defaultValue == nil ? [.noDefault] : field.isUnique ? [.unique] : []
        case .constant(let json): reasons(forConstant: json, in: field)
        case .field(let name):
            (model.fields + (former?.fields ?? [])).first { $0.name == name }.map {
                $0.type.canGiveValues(to: field.type) ? [] : [.sourceOfOtherType(name)]
            } ?? [.sourceUnknown(name)]
        }
    }

    private func reasons(forConstant json: JSONValue, in field: Field) -> [FillFault.Reason] {
        guard field.type.name != .file else { return [.file] }
        guard let value = FieldValue(json, of: field.type.name) else {
            return [.unreadable(field.type.name)]
        }
        if field.isUnique { return [.unique] }
        return field.type.violations(of: value).map { .limit($0) }
    }
}

extension FieldType {
    fileprivate func canGiveValues(to other: FieldType) -> Bool {
        switch (self, other) {
        case (.integer, .decimal): true
        case (.belongsTo(let one), .belongsTo(let other)): one.model == other.model
        case (let one, let other): one.name == other.name
        }
    }
}

extension Model {
    fileprivate func isCalled(_ name: String) -> Bool { ([self.name] + renamedFrom).contains(name) }
}

extension Field {
    fileprivate func isCalled(_ name: String) -> Bool { ([self.name] + renamedFrom).contains(name) }
}
