import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncServer

/// The definition, as the schemas of classes.
extension ParseExchange {
    /// `GET /schemas` and `GET /schemas/CLASS`, for admins and with the master key. A schema is
    /// changed by a deployment.
    func schemas(_ rest: [String]) async throws -> ParseAnswer {
        let mayRead = try await mayReadSchemas()
        guard mayRead else { throw ParseFailure.unauthorized }
        guard call.verb == .get else {
            throw ParseFailure.forbidden("the definition has the classes: deploy another one")
        }
        guard let name = rest.first else {
            return ParseAnswer(["results": .array(definition.models.map(schema(of:)))])
        }
        guard let model = rules(ofClass: name)?.model else {
            throw ParseFailure(103, "Class \(name) does not exist.")
        }
        return ParseAnswer(schema(of: model))
    }

    private func mayReadSchemas() async throws -> Bool {
        if hasMasterKey { return true }
        guard tokenHash != nil else { return false }
        return try await caller().isAdmin
    }

    private func schema(of model: Model) -> JSONValue {
        var fields: [String: JSONValue] = [
            "objectId": .column("String"), "createdAt": .column("Date"),
            "updatedAt": .column("Date"), "ACL": .column("ACL"),
        ]
        if model.foreignName == Self.userClass {
            for name in ["username", "password", "email"] { fields[name] = .column("String") }
        }
        for field in model.fields { fields[field.foreignName] = column(field) }
        let names = ClassNames(definition)
        for relation in relations[model.name] {
            fields[relation.join.name] = .object([
                "type": "Relation", "targetClass": .string(names[relation.join.target]),
            ])
        }
        return .object([
            "className": .string(model.foreignName), "fields": .object(fields),
            "classLevelPermissions": .object(permissions(of: model)),
            "indexes": .object(["_id_": .object(["_id": 1])]),
        ])
    }

    private func column(_ field: Field) -> JSONValue {
        let standard = field.defaultValue.flatMap { JSONValue(parseDefault: $0, of: field.type) }
        var type = field.type.parseName
        // A definition has one type for objects and arrays.
        if field.type.format?.kind == .json, case .array? = standard { type = "Array" }
        var members: [String: JSONValue] = ["type": .string(type)]
        if case .belongsTo(let relation) = field.type {
            members["targetClass"] = .string(ClassNames(definition)[relation.model])
        }
        if field.isRequired { members["required"] = .boolean(true) }
        if let standard { members["defaultValue"] = standard }
        return .object(members)
    }

    /// A level other than that of all records cannot be told: its role is named.
    private func permissions(of model: Model) -> [String: JSONValue] {
        let levels: [(operations: [String], level: (ModelCredential) -> AccessLevel)] = [
            (["find", "count", "get"], \.read), (["create"], \.create), (["update"], \.update),
            (["delete"], \.delete),
        ]
        var permissions: [String: JSONValue] = ["addField": .object([:])]
        for (operations, level) in levels {
            var named: [String: JSONValue] = [:]
            var isForAll = true
            for group in definition.groups {
                let role = Role(group: group, deviceCategory: clients.deviceCategory)
                let granted = model.credentials[role].map(level) ?? AccessLevel.none
                if granted != AccessLevel.none { named["role:\(group)"] = .boolean(true) }
                isForAll = isForAll && granted == .all
            }
            if isForAll { named = ["requiresAuthentication": .boolean(true)] }
            for operation in operations { permissions[operation] = .object(named) }
        }
        return permissions
    }
}

extension JSONValue {
    fileprivate static func column(_ type: String) -> JSONValue {
        .object(["type": .string(type)])
    }

    /// A default as a schema has it; nil for one that stands for no constant of JSON.
    fileprivate init?(parseDefault value: FieldValue, of type: FieldType) {
        switch value {
        case .text(let text) where type.format?.kind == .json:
            guard let json = JSONValue(formatted: text) else { return nil }
            self = json
        case .text(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let number): self = .decimal(number.description)
        case .boolean(let flag): self = .boolean(flag)
        case .date, .reference, .file: return nil
        }
    }
}
