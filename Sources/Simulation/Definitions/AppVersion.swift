import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// A version of a definition, as the server deploys it and apps are built with it.
///
/// It translates by lasting names, without the server's translation.
struct AppVersion: Sendable {
    /// In its own words.
    let definition: Definition
    /// The rules of the version, with lasting names.
    let rules: Rules
    let vocabulary: Vocabulary
    /// By model, the fields to which the deployments up to this version bring values; in lasting
    /// words.
    let filled: [String: Set<String>]
    /// The values that its own deployment brings, in its own words.
    let fills: [FillRule]

    init(
        _ definition: Definition, lasting: Definition? = nil, vocabulary: Vocabulary = Vocabulary(),
        filled: [String: Set<String>] = [:], fills: [FillRule] = []
    ) {
        self.definition = definition
        rules = Rules(lasting ?? definition)
        self.vocabulary = vocabulary
        self.filled = filled
        self.fills = fills
    }

    func field(_ name: String, of model: String) -> Field? {
        rules.model(named: model)?.field(named: name)
    }

    /// The edit without the fields that the app does not have; nil if nothing is left of it.
    func known(_ draft: Draft) -> Draft? {
        guard rules.model(named: draft.model) != nil else { return nil }
        let fields = draft.fields.filter { field($0.key, of: draft.model) != nil }
        guard draft.action != .update || !fields.isEmpty else { return nil }
        return Draft(
            draft.action, model: draft.model, guid: draft.guid, fields: fields,
            isUnchecked: draft.isUnchecked, falseBase: draft.falseBase)
    }
}

// MARK: - Values

extension AppVersion {
    /// The readable fields of a record as the app has them.
    ///
    /// A field that is not served is null, or the default or a placeholder if the app requires a
    /// value, and absent if the version of the app does not show it to the asker. An app of another
    /// version than the served one reads every null so.
    ///
    /// - Parameters:
    ///   - values: Those that the asker may read of the served version.
    ///   - served: The rules of that version, in lasting words.
    func fields(
        _ values: [String: JSONValue], of model: String, ownedBy ownership: Ownership,
        for asker: Asker, servedBy served: Rules
    ) -> [String: JSONValue] {
        guard let own = rules.model(named: model)?.model else { return [:] }
        var fields = known(values, of: model, servedBy: served)
        if served.definition.fingerprint != definition.fingerprint {
            fields = readable(fields, of: model)
        }
        for field in own.fields
        where !has(field.name, of: model, inCommonWith: served)
            && asker.may(.read, .model(model), of: ownership, rules)
            && asker.may(.read, .field(field.name, of: model), of: ownership, rules)
        {
            fields[field.name] = field.valueIfUnserved
        }
        return fields
    }

    /// The fields as a device reads them: without null where the app requires a value.
    func readable(_ fields: [String: JSONValue], of model: String) -> [String: JSONValue] {
        var readable = fields
        for (name, value) in fields where value == .null {
            readable[name] = field(name, of: model)?.valueIfUnserved
        }
        return readable
    }

    /// The values of fields that both versions have, by the types of the app.
    func known(
        _ values: [String: JSONValue], of model: String, servedBy served: Rules
    ) -> [String: JSONValue] {
        var known: [String: JSONValue] = [:]
        for (name, value) in values where has(name, of: model, inCommonWith: served) {
            known[name] = field(name, of: model)?.type.reading(value)
        }
        return known
    }

    /// Whether the app reads the values of a field of the served version.
    func has(_ name: String, of model: String, inCommonWith served: Rules) -> Bool {
        guard let own = field(name, of: model)?.type.name,
            let other = served.model(named: model)?.field(named: name)?.type.name
        else { return false }
        return own == other || Set([own, other]) == [.integer, .decimal]
    }

    /// A change as the served version reads it. Nulls of fields that it does not have say nothing,
    /// and neither do their defaults and placeholders in new records.
    func served(_ change: ChangeMessage, by served: Rules) -> ChangeMessage {
        var change = change
        var fields: [String: JSONValue] = [:]
        for (name, value) in change.fields {
            let isShared = has(name, of: change.model, inCommonWith: served)
            if let own = field(name, of: change.model), !isShared {
                if value == .null { continue }
                if change.action == .create, own.initialValues.contains(value) { continue }
            }
            let type = served.model(named: change.model)?.field(named: name)?.type
            fields[name] = isShared ? type?.written(value) ?? value : value
        }
        change.fields = fields
        return change
    }
}

extension Field {
    /// An app has this value in place of one that it was not given.
    var valueIfUnserved: JSONValue {
        isRequired ? JSONValue(defaultValue ?? placeholder) : .null
    }
}

extension Field {
    /// The values that an app has in the field of a new record, before its user sets it.
    fileprivate var initialValues: [JSONValue] {
        [valueIfUnserved] + (defaultValue.map { [JSONValue($0)] } ?? [])
    }
}

extension FieldType {
    /// A stored value as an app with this type reads it: null if the type has no such value.
    func reading(_ value: JSONValue) -> JSONValue {
        guard name == .integer, case .string(let text) = value else { return written(value) }
        return whole(text).map { .integer($0) } ?? .null
    }

    /// A value of an app as it is stored with this type. One that the type does not have is
    /// returned unchanged.
    func written(_ value: JSONValue) -> JSONValue {
        if name == .decimal, case .integer(let number) = value {
            return .string(DecimalNumber(number).description)
        }
        guard name == .integer, case .string(let text) = value else { return value }
        return whole(text).map { .integer($0) } ?? value
    }
}

private func whole(_ text: String) -> Int64? {
    guard let number = DecimalNumber(text), let whole = Int64(text.prefix { $0 != "." }),
        DecimalNumber(whole) == number
    else { return nil }
    return whole
}
