import ChangeRules
import DefinitionModel
import JSON

/// Why a change was refused, in the words of a client.
struct ParseCause: Hashable, Sendable {
    let cause: Cause
    /// As a refusal for this cause alone would have it.
    let code: Int?
    let message: String
    /// The key at fault; nil when it is the object as a whole.
    let key: String?
}

extension ParseCause {
    /// The members `code` and `error`, as in every refusal, `reason`, which is the code of the
    /// native wire, and `field` where there is one.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "error": .string(message), "reason": .string(CauseDescription(cause).code),
        ]
        if let code { members["code"] = .integer(Int64(code)) }
        if let key { members["field"] = .string(key) }
        return .object(members)
    }
}

extension ParseFailure {
    /// A refused change. The first cause chooses the code.
    ///
    /// - Parameters:
    ///   - model: That of the change.
    ///   - body: The values that the client sent.
    ///   - relation: The relation that the client asked to change, if the change is that of a pair.
    init(
        refusing causes: [Cause], of model: Model, named names: ClassNames = ClassNames(),
        given body: [String: JSONValue] = [:], relation: String? = nil
    ) {
        let refusals = causes.map { cause in
            let field = model.fields.first { $0.name == cause.field }
            let key = relation ?? field?.foreignName ?? cause.field
            let words = CauseWords(className: model.foreignName, key: key, names: names)
            return (key, words.refusal(of: cause, field, given: key.flatMap { body[$0] }))
        }
        self = refusals.first?.1 ?? ParseFailure(142, "the change was refused")
        self.causes = zip(causes, refusals).map { cause, refusal in
            ParseCause(
                cause: cause, code: refusal.1.code, message: refusal.1.message, key: refusal.0)
        }
    }
}

/// The names that a cause is told in.
private struct CauseWords {
    let className: String
    let key: String?
    let names: ClassNames

    func refusal(of cause: Cause, _ field: Field?, given json: JSONValue?) -> ParseFailure {
        let text = CauseDescription(Cause(cause.reason, field: key)).message
        switch cause.reason {
        case .empty, .limit, .recorded: return ParseFailure(142, text)
        case .wrongType(let expected):
            return ParseFailure(
                111,
                "schema mismatch for \(className).\(key ?? ""); expected "
                    + (field?.type.expectation(given: json) ?? expected.parseName))
        case .notFound(_, let model):
            return ParseFailure(
                106, "'\(key ?? "")' points to no object of '\(names[model])', save that one first")
        case .notUnique: return ParseFailure(137, text)
        case .fileNotYours:
            return .forbidden("'\(key ?? "")' names a file of somebody else, upload yours")
        case .notGranted: return .forbidden(text)
        case .unknownModel(let name): return .unknownClass(name)
        case .unknownField: return .unknownField(of: className)
        case .change(let fault): return refusal(of: fault, text)
        }
    }

    private func refusal(of fault: ChangeFault, _ text: String) -> ParseFailure {
        switch fault {
        case .recordUnknown, .recordDeleted: .objectNotFound
        case .guidTaken: ParseFailure(137, "another object has this objectId, choose a new one")
        case .illegalGuid: ParseFailure(104, text)
        case .dependsOnRefused:
            ParseFailure(106, "it points to an object of this batch that was refused")
        // A tag of no revision of the object does not match its present one either.
        case .stale, .baseUnknown:
            ParseFailure(
                status: 412, code: 142, "the object has changed since, see 'object' for it")
        case .tooEntangled, .tooManyRevisions, .tooMuchHistory, .recordTooLarge:
            ParseFailure(116, text)
        case .illegalChangeID, .changeIDReused, .unexpectedFields, .baseMissing, .notConflicted,
            .resolutionStale, .tooManyConflicts, .tooManyOwnConflicts:
            ParseFailure(142, text)
        }
    }
}

extension FieldType {
    /// The names of the types that are taken and given. Where these are the same, what more is
    /// asked of the value.
    fileprivate func expectation(given json: JSONValue?) -> String {
        let names = format?.kind == .json ? ["Object", "Array"] : [parseName]
        let taken = names.joined(separator: " or ")
        guard let given = json?.parseName else { return taken }
        return names.contains(given) ? demand : "\(taken) but got \(given)"
    }

    private var demand: String {
        switch format?.kind {
        case .json: "an Object or Array that can be kept as it is"
        case .base64: "Bytes with a base64 text"
        case .geo: "a GeoPoint with a latitude and a longitude"
        case nil: name.demand
        }
    }
}

extension FieldTypeName {
    fileprivate var demand: String {
        switch self {
        case .text, .boolean: "another \(parseName)"
        case .integer: "a whole Number of 64 bits"
        case .decimal: "a Number of fewer digits"
        case .date: "a Date such as 2026-11-21T05:58:23.176Z"
        case .belongsTo: "a Pointer to an object of its class"
        case .file: "a File that was uploaded"
        }
    }
}

extension JSONValue {
    /// The name of its type on this wire.
    fileprivate var parseName: String {
        switch self {
        case .null: "null"
        case .string: "String"
        case .integer, .decimal: "Number"
        // A number beyond all bounds, or a text with half of a pair of code units.
        case .unrepresentable: "a value that cannot be kept"
        case .boolean: "Boolean"
        case .array: "Array"
        case .object(let members):
            if case .string(let name)? = members["__type"] ?? members["__op"] {
                name
            } else {
                "Object"
            }
        }
    }
}
