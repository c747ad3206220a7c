import ChangeRules
import DefinitionModel
import JSON
import SyncProtocol

/// An app that was built with an earlier version of the definition: there every model and field has
/// another name, and each model lacks a field that it has now.
///
/// It translates by the names themselves, without the server's translation.
struct EarlierApp: Sendable {
    /// The version that it was built with.
    let definition: Definition
    /// The definition of now, which tells what was renamed.
    let now: Definition
    /// The fields that it does not know, by model.
    let unknown: [String: Set<String>]

    private static let suffix = "_was"

    init(before definition: Definition) {
        var unknown: [String: Set<String>] = [:]
        for model in definition.models {
            let last = model.fields.last { $0.mayBeUnknown }
            unknown[model.name] = Set(last.map { [$0.name] } ?? [])
        }
        self.unknown = unknown
        let knows = { (field: Field, model: Model) in
            !(unknown[model.name]?.contains(field.name) ?? false)
        }
        now = definition.with { model in
            model.renamed(
                to: model.name, from: [Self.former(model.name)],
                fields: model.fields.map { field in
                    field.renamed(
                        to: field.name,
                        from: knows(field, model) ? [Self.former(field.name)] : [],
                        type: field.type)
                })
        }
        self.definition = definition.with(fingerprint: "\(definition.fingerprint)-earlier") {
            model in
            model.renamed(
                to: Self.former(model.name), from: [],
                fields: model.fields.filter { knows($0, model) }.map { field in
                    field.renamed(
                        to: Self.former(field.name), from: [], type: field.type.former)
                })
        }
    }

    fileprivate static func former(_ name: String) -> String { name + suffix }

    /// The edit without the fields that the app does not have.
    func known(_ draft: Draft) -> Draft? {
        let unknown = unknown[draft.model] ?? []
        let fields = draft.fields.filter { !unknown.contains($0.key) }
        guard draft.action != .update || !fields.isEmpty else { return nil }
        return Draft(
            draft.action, model: draft.model, guid: draft.guid, fields: fields,
            isUnchecked: draft.isUnchecked, falseBase: draft.falseBase)
    }
}

// MARK: - Messages

extension EarlierApp {
    /// A request in the words of the app.
    func former(_ request: SyncRequest) -> SyncRequest {
        var request = request
        for index in request.changes.indices {
            request.changes[index].model = Self.former(request.changes[index].model)
            request.changes[index].fields = Dictionary(
                uniqueKeysWithValues: request.changes[index].fields.map {
                    (Self.former($0.key), $0.value)
                })
        }
        return request
    }

    /// An answer in the words of now. Throws if it has a name that is none of the app's.
    func present(_ response: SyncResponse) throws(InvariantViolation) -> SyncResponse {
        var response = response
        for index in response.outcomes.indices {
            response.outcomes[index].model = try present(response.outcomes[index].model)
            response.outcomes[index].causes = try present(response.outcomes[index].causes)
        }
        for index in response.records.indices {
            response.records[index] = try present(response.records[index])
        }
        for index in response.dropped.indices {
            response.dropped[index].model = try present(response.dropped[index].model)
        }
        return response
    }

    /// A record of now as the app reads it, without conflicts.
    func former(_ record: RecordView) -> RecordView {
        let unknown = unknown[record.model] ?? []
        let former = { (fields: [String: JSONValue]) in
            let known = fields.filter { !unknown.contains($0.key) }
            return Dictionary(
                uniqueKeysWithValues: known.map { (Self.former($0.key), $0.value) })
        }
        return RecordView(
            model: Self.former(record.model), guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, isDeleted: record.isDeleted,
            isConflicted: record.isConflicted, fields: record.fields.map(former))
    }

    private func present(
        _ causes: [CauseMessage]?
    ) throws(InvariantViolation) -> [CauseMessage]? {
        guard var causes else { return nil }
        for index in causes.indices {
            if let field = causes[index].field { causes[index].field = try present(field) }
            causes[index].message = causes[index].message.replacing(Self.suffix, with: "")
        }
        return causes
    }

    private func present(_ record: RecordMessage) throws(InvariantViolation) -> RecordMessage {
        var record = record
        record.model = try present(record.model)
        if let fields = record.fields { record.fields = try present(fields) }
        guard var conflicts = record.conflicts else { return record }
        for index in conflicts.indices {
            conflicts[index].base.fields = try present(conflicts[index].base.fields)
            conflicts[index].mine.fields = try present(conflicts[index].mine.fields)
            conflicts[index].theirs.fields = try present(conflicts[index].theirs.fields)
        }
        record.conflicts = conflicts
        return record
    }

    private func present(
        _ fields: [String: JSONValue]
    ) throws(InvariantViolation) -> [String: JSONValue] {
        var present: [String: JSONValue] = [:]
        for (name, value) in fields { present[try self.present(name)] = value }
        return present
    }

    private func present(_ name: String) throws(InvariantViolation) -> String {
        guard name.hasSuffix(Self.suffix) else {
            throw InvariantViolation(
                .everyAppIsUnderstood, "an earlier app is told '\(name)', which it does not know")
        }
        return String(name.dropLast(Self.suffix.count))
    }
}

// MARK: - Definitions

extension Definition {
    fileprivate func with(
        fingerprint other: String? = nil, _ change: (Model) -> Model
    ) -> Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models.map(change), writtenExtensions: writtenExtensions,
            digest: other ?? digest, fingerprint: other ?? fingerprint)
    }
}

extension Model {
    fileprivate func renamed(to name: String, from earlier: [String], fields: [Field]) -> Model {
        Model(
            name: name, description: description, renamedFrom: earlier,
            conflictMode: conflictMode, fields: fields, credentials: credentials,
            writtenExtensions: writtenExtensions, place: place)
    }
}

extension Field {
    fileprivate func renamed(to name: String, from earlier: [String], type: FieldType) -> Field {
        Field(
            name: name, description: description, renamedFrom: earlier, type: type,
            isRequired: isRequired, isUnique: isUnique, defaultValue: defaultValue,
            credentials: credentials, writtenOptions: writtenOptions,
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions, place: place)
    }

    /// Whether records without the field can be made, and no record refers to another by it.
    fileprivate var mayBeUnknown: Bool {
        switch type {
        case .text, .integer, .decimal, .boolean, .date: !isRequired && !isUnique
        case .belongsTo, .file: false
        }
    }
}

extension FieldType {
    /// A relation has the former name of its model.
    fileprivate var former: FieldType {
        switch self {
        case .belongsTo(let relation):
            .belongsTo(
                Relation(
                    model: EarlierApp.former(relation.model),
                    analyzesConflict: relation.analyzesConflict))
        case .text, .integer, .decimal, .boolean, .date, .file: self
        }
    }
}
