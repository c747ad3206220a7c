import ChangeRules
import DefinitionModel
import JSON

extension Cause {
    /// `{"arguments":["5"],"code":"limit.lessThanOrEqualTo","column":9,"field":"score","line":12}`.
    var stored: JSONValue {
        let (code, arguments) = reason.stored
        var members: [String: JSONValue] = ["code": .string(code)]
        if !arguments.isEmpty { members["arguments"] = .array(arguments.map { .string($0) }) }
        members["field"] = field.map { .string($0.shortenedName) }
        members["line"] = place.map { .integer(Int64($0.line)) }
        members["column"] = place.map { .integer(Int64($0.column)) }
        return .object(members)
    }

    /// Reads a cause of version 2.
    init(stored members: StoredMembers) throws(StoreError) {
        let arguments = try members.list("arguments").map { json throws(StoreError) in
            guard case .string(let text) = json else { throw members.missing("arguments") }
            return text
        }
        let code = try members.text("code")
        guard let reason = Reason(code: code, arguments: arguments) else {
            throw .unreadable("a stored cause has the unknown code '\(code)'")
        }
        self.init(reason, field: try members.optionalText("field"), place: try members.place())
    }

    /// Reads a cause of version 1, which stores a sentence.
    init(recorded members: StoredMembers) throws(StoreError) {
        self.init(
            .recorded(
                RecordedReason(
                    code: try members.text("code"), message: try members.text("message"),
                    argument: try members.optionalText("argument"))),
            field: try members.optionalText("field"), place: try members.place())
    }
}

extension StoredMembers {
    fileprivate func place() throws(StoreError) -> SourcePlace? {
        guard let line = try optionalInteger("line"), let column = try optionalInteger("column")
        else { return nil }
        guard let line = Int(exactly: line), let column = Int(exactly: column) else {
            throw missing("line")
        }
        return SourcePlace(line: line, column: column)
    }
}

// MARK: - Reasons

extension Cause.Reason {
    /// A stable code with the arguments that are needed to restore the reason.
    fileprivate var stored: (code: String, arguments: [String]) {
        switch self {
        case .empty: ("empty", [])
        case .limit(let violation): violation.stored
        case .wrongType(let expected): ("wrongType", [expected.rawValue])
        case .notFound(let guid, let model): ("notFound", [guid, model])
        case .notUnique: ("notUnique", [])
        case .fileNotYours(let guid): ("fileNotYours", [guid])
        case .notGranted(let operation, let level):
            ("notGranted", [operation.rawValue, level.rawValue])
        case .unknownModel(let name): ("unknownModel", [name.shortenedName])
        case .unknownField(let name): ("unknownField", [name.shortenedName])
        case .change(let fault): fault.stored
        case .recorded(let reason):
            ("recorded", [reason.code, reason.message] + (reason.argument.map { [$0] } ?? []))
        }
    }

    /// Returns nil for an unknown code or invalid arguments.
    fileprivate init?(code: String, arguments: [String]) {
        let first = arguments.first
        switch (code, arguments.count) {
        case ("empty", 0): self = .empty
        case ("notUnique", 0): self = .notUnique
        case ("wrongType", 1):
            guard let type = first.flatMap(FieldTypeName.init(rawValue:)) else { return nil }
            self = .wrongType(expected: type)
        case ("notFound", 2): self = .notFound(guid: arguments[0], model: arguments[1])
        case ("fileNotYours", 1): self = .fileNotYours(guid: arguments[0])
        case ("notGranted", 2):
            guard let operation = Operation(rawValue: arguments[0]),
                let level = AccessLevel(rawValue: arguments[1])
            else { return nil }
            self = .notGranted(operation, level: level)
        case ("unknownModel", 1): self = .unknownModel(arguments[0])
        case ("unknownField", 1): self = .unknownField(arguments[0])
        case ("recorded", 2), ("recorded", 3):
            self = .recorded(
                RecordedReason(
                    code: arguments[0], message: arguments[1],
                    argument: arguments.count == 3 ? arguments[2] : nil))
        default:
            if let violation = LimitViolation(code: code, arguments: arguments) {
                self = .limit(violation)
            } else if let fault = ChangeFault(code: code, arguments: arguments) {
                self = .change(fault)
            } else {
                return nil
            }
        }
    }
}

extension LimitViolation {
    fileprivate var stored: (code: String, arguments: [String]) {
        switch self {
        case .tooLong(let max): ("limit.tooLong", ["\(max)"])
        case .tooShort(let min): ("limit.tooShort", ["\(min)"])
        case .patternMismatch(let pattern): ("limit.patternMismatch", [pattern.source])
        case .patternTooCostly(let max): ("limit.patternTooCostly", ["\(max)"])
        case .wrongFormat(let kind): ("limit.wrongFormat", [kind.rawValue])
        case .tooManyBytes(let max): ("limit.tooManyBytes", ["\(max)"])
        case .notAllowed(let values): ("limit.notAllowed", values)
        case .greaterThan(let min): ("limit.greaterThan", ["\(min)"])
        case .greaterThanOrEqualTo(let min): ("limit.greaterThanOrEqualTo", ["\(min)"])
        case .lessThan(let max): ("limit.lessThan", ["\(max)"])
        case .lessThanOrEqualTo(let max): ("limit.lessThanOrEqualTo", ["\(max)"])
        case .tooEarly(let min): ("limit.tooEarly", ["\(min)"])
        case .tooLate(let max): ("limit.tooLate", ["\(max)"])
        case .tooManyFractionDigits(let max): ("limit.tooManyFractionDigits", ["\(max)"])
        case .illegalCharacter: ("limit.illegalCharacter", [])
        }
    }

    fileprivate init?(code: String, arguments: [String]) {
        let number = arguments.first.flatMap { Int64($0) }
        let decimal = arguments.first.flatMap { DecimalNumber($0) }
        let violation: LimitViolation? =
            switch code {
            case "limit.tooLong": number.flatMap { Int(exactly: $0) }.map { .tooLong(max: $0) }
            case "limit.tooShort": number.flatMap { Int(exactly: $0) }.map { .tooShort(min: $0) }
            case "limit.patternMismatch":
                arguments.first.flatMap { try? TextPattern($0) }.map { .patternMismatch($0) }
            case "limit.patternTooCostly":
                number.flatMap { Int(exactly: $0) }.map { .patternTooCostly(maxSteps: $0) }
            case "limit.wrongFormat":
                arguments.first.flatMap(TextFormat.Kind.init).map { .wrongFormat($0) }
            case "limit.tooManyBytes":
                number.flatMap { Int(exactly: $0) }.map { .tooManyBytes(max: $0) }
            case "limit.notAllowed": .notAllowed(values: arguments)
            case "limit.greaterThan": decimal.map { .greaterThan($0) }
            case "limit.greaterThanOrEqualTo": decimal.map { .greaterThanOrEqualTo($0) }
            case "limit.lessThan": decimal.map { .lessThan($0) }
            case "limit.lessThanOrEqualTo": decimal.map { .lessThanOrEqualTo($0) }
            case "limit.tooEarly": number.map { .tooEarly(minMilliseconds: $0) }
            case "limit.tooLate": number.map { .tooLate(maxMilliseconds: $0) }
            case "limit.tooManyFractionDigits":
                number.flatMap { Int(exactly: $0) }.map { .tooManyFractionDigits(max: $0) }
            case "limit.illegalCharacter": arguments.isEmpty ? .illegalCharacter : nil
            default: nil
            }
        guard let violation else { return nil }
        self = violation
    }
}

extension ChangeFault {
    fileprivate var stored: (code: String, arguments: [String]) {
        switch self {
        case .illegalChangeID(let max): ("change.illegalChangeID", ["\(max)"])
        case .changeIDReused: ("change.changeIDReused", [])
        case .illegalGuid: ("change.illegalGuid", [])
        case .guidTaken: ("change.guidTaken", [])
        case .unexpectedFields: ("change.unexpectedFields", [])
        case .recordUnknown: ("change.recordUnknown", [])
        case .recordDeleted: ("change.recordDeleted", [])
        case .baseMissing: ("change.baseMissing", [])
        case .baseUnknown: ("change.baseUnknown", [])
        case .notConflicted: ("change.notConflicted", [])
        case .resolutionStale: ("change.resolutionStale", [])
        case .stale(let revision): ("change.stale", ["\(revision)"])
        case .dependsOnRefused(let changeID): ("change.dependsOnRefused", [changeID])
        case .tooEntangled: ("change.tooEntangled", [])
        case .tooManyConflicts(let max): ("change.tooManyConflicts", ["\(max)"])
        case .tooManyOwnConflicts(let max): ("change.tooManyOwnConflicts", ["\(max)"])
        case .tooManyRevisions(let max): ("change.tooManyRevisions", ["\(max)"])
        case .tooMuchHistory(let maxBytes): ("change.tooMuchHistory", ["\(maxBytes)"])
        case .recordTooLarge(let maxBytes): ("change.recordTooLarge", ["\(maxBytes)"])
        }
    }

    fileprivate init?(code: String, arguments: [String]) {
        let number = arguments.first.flatMap { Int64($0) }
        let fault: ChangeFault? =
            switch code {
            case "change.illegalChangeID":
                number.flatMap { Int(exactly: $0) }.map { .illegalChangeID(maxBytes: $0) }
            case "change.changeIDReused": .changeIDReused
            case "change.illegalGuid": .illegalGuid
            case "change.guidTaken": .guidTaken
            case "change.unexpectedFields": .unexpectedFields
            case "change.recordUnknown": .recordUnknown
            case "change.recordDeleted": .recordDeleted
            case "change.baseMissing": .baseMissing
            case "change.baseUnknown": .baseUnknown
            case "change.notConflicted": .notConflicted
            case "change.resolutionStale": .resolutionStale
            case "change.stale": number.map { .stale(revision: $0) }
            case "change.dependsOnRefused": arguments.first.map { .dependsOnRefused(changeID: $0) }
            case "change.tooEntangled": .tooEntangled
            case "change.tooManyConflicts":
                number.flatMap { Int(exactly: $0) }.map { .tooManyConflicts(max: $0) }
            case "change.tooManyOwnConflicts":
                number.flatMap { Int(exactly: $0) }.map { .tooManyOwnConflicts(max: $0) }
            case "change.tooManyRevisions": number.map { .tooManyRevisions(max: $0) }
            case "change.tooMuchHistory":
                number.flatMap { Int(exactly: $0) }.map { .tooMuchHistory(maxBytes: $0) }
            case "change.recordTooLarge":
                number.flatMap { Int(exactly: $0) }.map { .recordTooLarge(maxBytes: $0) }
            default: nil
            }
        guard let fault else { return nil }
        self = fault
    }
}
