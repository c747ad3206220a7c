import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// A key of a `where` or of an `order`, as the engine knows it.
struct FilterOperand {
    /// As the client wrote it.
    let given: String
    private let kind: Kind

    private enum Kind {
        case objectID(className: String)
        /// The name of a user, who owns the profile.
        case username
        case time(String)
        /// The class of a relation is the one that it leads to.
        case field(Field, className: String?)
        case inside(InnerPath)
        case missing
    }

    /// An object or array, or a path into it.
    struct InnerPath {
        let field: String
        /// Empty for the whole value.
        let path: [String]
    }

    init(_ name: String, of model: ModelRules, in records: RecordTable) {
        given = name
        switch name {
        case "objectId": kind = .objectID(className: model.model.foreignName)
        case "username" where model.model.foreignName == Model.userClass: kind = .username
        case "createdAt", "_created_at": kind = .time("$createdAt")
        case "updatedAt", "_updated_at": kind = .time("$changedAt")
        default:
            let steps = name.split(separator: ".", omittingEmptySubsequences: false)
                .map(String.init)
            let field = steps.first.flatMap { model.field(foreign: $0) }
            let path = Array(steps.dropFirst())
            kind = field.map { Self.kind(of: $0, at: path, records) } ?? .missing
        }
    }

    private static func kind(of field: Field, at path: [String], _ records: RecordTable) -> Kind {
        if field.type.format?.kind == .json {
            return .inside(InnerPath(field: field.name, path: path))
        }
        guard path.isEmpty else { return .missing }
        guard case .belongsTo(let relation) = field.type else {
            return .field(field, className: nil)
        }
        return .field(field, className: records.className(of: relation.model))
    }

    /// Nil for a key that is not about an object or array.
    var innerPlace: InnerPath? {
        guard case .inside(let place) = kind else { return nil }
        return place
    }

    /// Nil if no record has such a value.
    var name: String? {
        switch kind {
        case .objectID: "$guid"
        case .username: "$owner"
        case .time(let name): name
        case .field(let field, _): field.name
        case .inside(let place): place.field
        case .missing: nil
        }
    }

    /// The name by which the engine sorts and compares; nil if it does not.
    var orderedName: String? {
        switch kind {
        case .objectID: "$id"
        case .username: "$owner"
        case .time(let name): name
        case .field(let field, _):
            switch field.type.name {
            case .text: field.type.format == nil ? field.name : nil
            case .integer, .decimal, .date: field.name
            case .boolean, .belongsTo, .file: nil
            }
        case .inside, .missing: nil
        }
    }

    /// The name by which the engine sorts; nil if it cannot.
    var sortName: String? {
        guard case .field(let field, _) = kind, field.type.name != .file, field.type.format == nil
        else { return orderedName }
        return field.name
    }

    /// The name of a text; nil for other types.
    var textName: String? {
        switch kind {
        case .objectID: "$id"
        case .username: "$owner"
        case .field(let field, _) where field.type.name == .text:
            field.type.format == nil ? field.name : nil
        case .time, .field, .inside, .missing: nil
        }
    }

    /// The name of a point on the earth; nil for other types.
    var placeName: String? {
        guard case .field(let field, _) = kind, field.type.format?.kind == .geo else { return nil }
        return field.name
    }

    /// The class whose objects bare ids name; nil for other keys.
    var pointedClass: String? {
        switch kind {
        case .objectID(let className): className
        case .field(_, let className): className
        case .username, .time, .inside, .missing: nil
        }
    }

    /// Whether it is a date, or the time of a creation or change.
    var isTime: Bool {
        switch kind {
        case .time: true
        case .field(let field, _): field.type.name == .date
        case .objectID, .username, .inside, .missing: false
        }
    }

    var isWhole: Bool {
        guard case .field(let field, _) = kind else { return false }
        return field.type.name == .integer
    }

    /// A value to compare with, as the engine reads it; nil if it is of another type.
    func value(_ json: JSONValue, in records: RecordTable, isOrdered: Bool = false) -> JSONValue? {
        switch kind {
        case .objectID(let className):
            guard case .string(let id) = json else { return nil }
            if isOrdered { return json }
            let pointer = ParsePointer(className: className, objectID: id)
            return records.guid(of: pointer).map { .string($0) }
        case .username: return json.isText ? json : nil
        case .time: return parseMilliseconds(json).map { .integer($0) }
        case .field(let field, _):
            if let pointedClass, case .string(let id) = json {
                let pointer = ParsePointer(className: pointedClass, objectID: id)
                return records.guid(of: pointer).map { .string($0) }
            }
            return FieldValue(parse: json, of: field.type, in: records).map { JSONValue($0) }
        case .inside, .missing: return nil
        }
    }
}

extension JSONValue {
    var isText: Bool { if case .string = self { true } else { false } }
}
