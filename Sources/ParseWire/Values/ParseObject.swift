import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// The members of objects, as clients read them.
struct ParseObject {
    /// The ids of related records, by model and guid. A record that is not there is shown by its
    /// guid.
    var ids: [RecordKey: String] = [:]
    /// The included objects. The key of a relation whose record is not there is left out where it
    /// was to be included.
    var included: [RecordKey: JSONValue] = [:]
    /// The link to the contents of a file.
    let link: (FileValue) -> String?
    let classNames: ClassNames
    let relations: ParseRelations

    /// Hidden values and nulls are left out.
    ///
    /// - Parameters:
    ///   - shown: Whether a key is in the answer.
    ///   - includes: Whether the object that a relation names stands in place of a pointer.
    func members(
        of found: FoundView, in model: Model, showing shown: (String) -> Bool = { _ in true },
        including includes: (String) -> Bool = { _ in false }
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "objectId": .string(found.id),
            "createdAt": .string(preciseInstant(milliseconds: found.createdAt.milliseconds)),
            "updatedAt": .string(preciseInstant(milliseconds: found.changedAt.milliseconds)),
        ]
        if model.foreignName == ParseExchange.userClass {
            members["username"] = .string(found.record.owner)
        }
        for relation in relations[model.name] where shown(relation.join.name) {
            members[relation.join.name] = .object([
                "__type": "Relation", "className": .string(classNames[relation.join.target]),
            ])
        }
        guard let values = found.record.fields else { return members }
        for field in model.fields where shown(field.foreignName) {
            guard let json = values[field.name],
                let value = FieldValue(json, of: field.type.name)
            else { continue }
            members[field.foreignName] = self.json(
                value, of: field.type, isIncluded: includes(field.foreignName))
        }
        return members
    }

    private func json(_ value: FieldValue, of type: FieldType, isIncluded: Bool) -> JSONValue? {
        switch value {
        case .text(let text):
            switch type.format?.kind {
            case .json: return JSONValue(formatted: text)
            case .base64:
                return .object(["__type": "Bytes", "base64": .string(text)])
            case .geo: return GeoPosition(text)?.json
            case nil: return .string(text)
            }
        case .integer, .boolean: return JSONValue(value)
        case .decimal(let number): return .decimal(number.description)
        case .date(let milliseconds):
            return .object([
                "__type": .string("Date"),
                "iso": .string(preciseInstant(milliseconds: milliseconds)),
            ])
        case .file(let file):
            let name = JSONValue.string(file.parseName)
            let url = link(file).map { ["url": JSONValue.string($0)] } ?? [:]
            return .object(["__type": .string("File"), "name": name].merging(url) { $1 })
        case .reference(let guid):
            guard case .belongsTo(let relation) = type else { return nil }
            let key = RecordKey(model: relation.model, guid: guid)
            if isIncluded { return included[key] }
            return ParsePointer(
                className: classNames[relation.model], objectID: ids[key] ?? guid
            ).json
        }
    }
}

extension JSONValue {
    /// An object in place of a pointer.
    static func includedObject(
        _ members: [String: JSONValue], of className: String
    ) -> JSONValue {
        .object(
            members.merging([
                "__type": .string("Object"), "className": .string(className),
            ]) { own, _ in own })
    }
}
