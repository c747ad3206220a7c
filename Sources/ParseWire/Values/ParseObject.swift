import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine

/// The members of objects, as clients read them.
struct ParseObject {
    /// The ids of related records, by model and guid. A record that is not in it has its guid as
    /// id.
    var ids: [RecordKey: String] = [:]
    /// The included objects. The key of a relation whose record is not there is left out where it
    /// was to be included.
    var included: [RecordKey: Included] = [:]
    /// The records of pointers inside JSON. Such a pointer stays if its record is not there.
    var pointed: [ParsePointer: RecordKey] = [:]
    /// The bytes of the included objects, as often as they are in the answer.
    private(set) var includedBytes = 0
    /// The account of whoever asks, if it is to be shown: nobody sees another's mail address.
    var account: (login: String, mail: String)?
    /// The link to the contents of a file.
    let link: (FileValue) -> String?
    let classNames: ClassNames
    let relations: ParseRelations

    /// Hidden values and nulls are left out.
    ///
    /// - Parameters:
    ///   - shown: Whether a key is in the answer.
    ///   - includes: By key, the rest of the paths of an include that begin with it. The objects
    ///     that a relation or pointers inside JSON name stand in place of pointers.
    mutating func members(
        of found: FoundView, in model: Model, showing shown: (String) -> Bool = { _ in true },
        including includes: [String: [[String]]] = [:]
    ) -> [String: JSONValue] {
        var own: [String: JSONValue] = [
            "objectId": .string(found.id),
            "createdAt": .string(preciseInstant(milliseconds: found.createdAt.milliseconds)),
            "updatedAt": .string(preciseInstant(milliseconds: found.changedAt.milliseconds)),
        ]
        if model.foreignName == ParseExchange.userClass {
            own["username"] = .string(found.record.owner)
        }
        for relation in relations[model.name] where shown(relation.join.name) {
            own[relation.join.name] = .object([
                "__type": "Relation", "className": .string(classNames[relation.join.target]),
            ])
        }
        var members = self.members(
            ofValues: found.record.fields ?? [:], in: model, showing: shown, including: includes,
            besides: own.count)
        members.merge(own) { value, _ in value }
        if let account, !account.mail.isEmpty, found.record.owner.hasSameBytes(as: account.login) {
            members["email"] = .string(account.mail)
        }
        return members
    }

    /// The members of values by the names of fields. Nulls are left out.
    ///
    /// - Parameter others: The number of other members that the object will have, for which it
    ///   keeps room.
    mutating func members(
        ofValues values: [String: JSONValue], in model: Model,
        showing shown: (String) -> Bool = { _ in true },
        including includes: [String: [[String]]] = [:], besides others: Int = 0
    ) -> [String: JSONValue] {
        var members = [String: JSONValue](minimumCapacity: values.count + others)
        for field in model.fields where shown(field.foreignName) {
            guard let json = values[field.name],
                let value = FieldValue(json, of: field.type.name)
            else { continue }
            members[field.foreignName] = self.json(
                value, of: field.type, including: includes[field.foreignName] ?? [])
        }
        return members
    }

    private mutating func json(
        _ value: FieldValue, of type: FieldType, including steps: [[String]]
    ) -> JSONValue? {
        switch value {
        case .text(let text):
            switch type.format?.kind {
            case .json:
                return JSONValue(formatted: text)?.replacingPointers(along: steps) { pointer, _ in
                    pointed[pointer].flatMap { object($0) }
                }
            case .base64:
                return .object(["__type": "Bytes", "base64": .string(text)])
            case .geo: return GeoPosition(text)?.json
            case nil: return .string(text)
            }
        case .integer, .boolean: return JSONValue(value)
        case .decimal(let number): return .decimal(number.description)
        case .date(let milliseconds):
            let nearest = nearestPreciseInstant(milliseconds: milliseconds)
            return .object([
                "__type": .string("Date"), "iso": .string(preciseInstant(milliseconds: nearest)),
            ])
        case .file(let file):
            let name = JSONValue.string(file.parseName)
            let url = link(file).map { ["url": JSONValue.string($0)] } ?? [:]
            return .object(["__type": .string("File"), "name": name].merging(url) { $1 })
        case .reference(let guid):
            guard case .belongsTo(let relation) = type else { return nil }
            let key = RecordKey(model: relation.model, guid: guid)
            if !steps.isEmpty { return object(key) }
            return ParsePointer(
                className: classNames[relation.model], objectID: ids[key] ?? guid
            ).json
        }
    }
}

extension ParseObject {
    /// An object in place of a pointer, and about how many bytes it takes.
    struct Included {
        let json: JSONValue
        let bytes: Int

        init(_ members: [String: JSONValue], of className: String) {
            json = .object(
                members.merging([
                    "__type": .string("Object"), "className": .string(className),
                ]) { own, _ in own })
            bytes = json.approximateBytes
        }
    }

    private mutating func object(_ key: RecordKey) -> JSONValue? {
        guard let object = included[key] else { return nil }
        includedBytes += object.bytes
        return object.json
    }
}

extension JSONValue {
    /// The value with other values in place of pointers at the ends of paths; nil keeps a pointer.
    /// A path names keys of objects, and leads through arrays to all of their elements.
    ///
    /// - Parameter value: Gets the rest of the paths that lead to the pointer, some of them empty.
    func replacingPointers(
        along steps: [[String]], with value: (ParsePointer, [[String]]) -> JSONValue?
    ) -> JSONValue {
        guard !steps.isEmpty else { return self }
        if let pointer = ParsePointer(self) { return value(pointer, steps) ?? self }
        switch self {
        case .array(let elements):
            return .array(elements.map { $0.replacingPointers(along: steps, with: value) })
        case .object(let members):
            var replaced: [String: JSONValue] = [:]
            for (key, member) in members {
                replaced[key] = member.replacingPointers(
                    along: steps.steps(after: key), with: value)
            }
            return .object(replaced)
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: return self
        }
    }
}
