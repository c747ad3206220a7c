import DefinitionModel
import Records
import SyncProtocol

extension CauseMessage {
    /// Every sentence about a refused change stands here. The codes of the definition's limits and
    /// rights are those of the original clients.
    init(_ cause: Cause) {
        let words = Words(cause)
        self.init(
            code: words.code, message: words.message, field: cause.field?.shortened,
            argument: words.argument, line: cause.place?.line, column: cause.place?.column)
    }
}

private struct Words {
    let code: String
    let message: String
    var argument: String?

    init(_ code: String, _ message: String, argument: String? = nil) {
        self.code = code
        self.message = message
        self.argument = argument
    }

    init(_ cause: Cause) {
        let subject = cause.field.map { "'\($0.shortened)'" } ?? "the record"
        switch cause.reason {
        case .empty: self.init("empty", "\(subject) is required, give it a value")
        case .limit(let violation): self.init(violation, subject: subject)
        case .wrongType(let type):
            self.init(
                "wrongType", "\(subject) takes \(type.description)", argument: type.rawValue)
        case .notFound(let guid, let model):
            self.init(
                "notFound", "\(subject) refers to no record of '\(model)', send that one first",
                argument: guid)
        case .notGranted(let operation, let level):
            self.init(operation, level: level, field: cause.field)
        case .unknownModel(let name):
            self.init(
                "unknownModel", "the definition has no model '\(name.shortened)'",
                argument: name.shortened)
        case .unknownField(let name):
            self.init(
                "unknownField", "the model has no field '\(name.shortened)'",
                argument: name.shortened)
        case .change(let fault): self.init(fault)
        }
    }

    private init(_ operation: Operation, level: AccessLevel, field: String?) {
        let what = field.map { "\(operation) '\($0)' of this record" } ?? "\(operation) this record"
        let code =
            field == nil
            ? "noCredentialsToPerformOperationOnModel" : "noCredentialsToPerformOperationOnField"
        self.init(
            code, "your role may not \(what), its right is \(level.rawValue)",
            argument: operation.rawValue)
    }

    private init(_ violation: LimitViolation, subject: String) {
        switch violation {
        case .tooLong(let max):
            self.init(
                "tooLong", "\(subject) is longer than \(max) characters", argument: "\(max)")
        case .greaterThan(let min):
            self.init(
                "greaterThan", "\(subject) must be greater than \(min)", argument: "\(min)")
        case .greaterThanOrEqualTo(let min):
            self.init(
                "greaterThanOrEqualTo", "\(subject) must be \(min) or more", argument: "\(min)")
        case .lessThan(let max):
            self.init("lessThan", "\(subject) must be less than \(max)", argument: "\(max)")
        case .lessThanOrEqualTo(let max):
            self.init("lessThanOrEqualTo", "\(subject) must be \(max) or less", argument: "\(max)")
        case .tooManyFractionDigits(let max):
            self.init(
                "tooManyFractionDigits", "\(subject) takes \(max) fraction digits at most",
                argument: "\(max)")
        case .illegalCharacter:
            self.init(
                "illegalCharacter", "\(subject) holds a character that it may not, such as U+0000")
        }
    }

    private init(_ fault: ChangeFault) {
        switch fault {
        case .illegalGuid: self.init("illegalGuid", "the guid is no UUID in its usual form")
        case .illegalChangeID(let max):
            self.init(
                "illegalChangeID", "a change id is 1 to \(max) visible ASCII characters",
                argument: "\(max)")
        case .unexpectedFields: self.init("unexpectedFields", "a deletion names no fields")
        case .recordUnknown:
            self.init("recordUnknown", "there is no such record of this model, create it first")
        case .recordDeleted:
            self.init("recordDeleted", "the record is deleted, create a new one instead")
        case .notConflicted:
            self.init("notConflicted", "the record has no open conflict, send an update instead")
        case .resolutionStale:
            self.init("resolutionStale", "the record has changed since, sync and choose again")
        case .guidTaken: self.init("guidTaken", "another record has this guid, choose a new one")
        case .baseMissing:
            self.init("baseMissing", "the change has no base, send the revision it was made from")
        case .baseUnknown:
            self.init(
                "baseUnknown", "the base is no revision of this record, sync again from the start")
        case .changeIDReused:
            self.init(
                "changeIDReused", "the change id was used for another record, give each its own")
        case .tooEntangled:
            self.init(
                "tooEntangled",
                "too many refusals in this batch depend on each other, send fewer "
                    + "changes at once, with a new id for this one")
        case .tooManyConflicts(let max):
            self.init(
                "tooManyConflicts", "the record has \(max) open conflicts, resolve them first",
                argument: "\(max)")
        case .dependsOnRefused(let changeID):
            self.init(
                "dependsOnRefused", "it needs the record that change '\(changeID)' should create",
                argument: changeID)
        }
    }
}

extension FieldTypeName {
    fileprivate var description: String {
        switch self {
        case .text: "text, as a JSON string"
        case .integer: "a whole number of 64 bits, as a JSON number"
        case .decimal: "a decimal of 38 digits at most, best as a JSON string such as \"12.50\""
        case .boolean: "true or false"
        case .date: "milliseconds since 1970 in UTC, as a JSON number"
        case .belongsTo: "the guid of a record, as a JSON string"
        case .file: "a JSON object of 'guid' and 'filename'"
        }
    }
}
