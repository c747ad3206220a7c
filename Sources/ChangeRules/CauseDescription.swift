import DefinitionModel

/// A cause in words: a stable code for programs, a sentence for people, and the code's argument,
/// such as the limit that was broken.
///
/// The codes of the definition's limits and rights are those of the original clients. Every
/// sentence about a refused change is in this file.
package struct CauseDescription: Hashable, Sendable {
    package let code: String
    package let message: String
    package let argument: String?

    private init(_ code: String, _ message: String, argument: String? = nil) {
        self.code = code
        self.message = message
        self.argument = argument
    }

    package init(_ cause: Cause) {
        let subject = cause.field.map { "'\($0.shortenedName)'" } ?? "the record"
        switch cause.reason {
        case .empty: self.init("empty", "\(subject) is required, give it a value")
        case .limit(let violation): self.init(violation, subject: subject)
        case .notUnique:
            self.init("notUnique", "another record has this value of \(subject), give it another")
        case .wrongType(let type):
            self.init(
                "wrongType", "\(subject) takes \(type.description)", argument: type.rawValue)
        case .notFound(let guid, let model):
            self.init(
                "notFound", "\(subject) refers to no record of '\(model)', send that one first",
                argument: guid)
        case .fileNotYours(let guid):
            self.init(
                "fileNotYours",
                "\(subject) names a file of somebody else, upload yours under a guid of its own",
                argument: guid)
        case .notGranted(let operation, let level):
            self.init(operation, level: level, field: cause.field)
        case .unknownModel(let name):
            self.init(
                "unknownModel", "the definition has no model '\(name.shortenedName)'",
                argument: name.shortenedName)
        case .unknownField(let name):
            self.init(
                "unknownField", "the model has no field '\(name.shortenedName)'",
                argument: name.shortenedName)
        case .change(let fault): self.init(fault)
        case .recorded(let reason):
            self.init(reason.code, reason.message, argument: reason.argument)
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
        self.init(
            violation.code, "\(subject) \(violation.demand)", argument: violation.argument)
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
        case .stale(let revision):
            self.init("stale", "the record has changed since, sync first", argument: "\(revision)")
        case .changeIDReused:
            self.init(
                "changeIDReused", "the change id was used for another record, give each its own")
        case .tooEntangled: self = .tooEntangled
        case .tooManyConflicts(let max): self = .tooManyConflicts(max)
        case .tooManyOwnConflicts(let max): self = .tooManyOwnConflicts(max)
        case .tooManyRevisions(let max): self = .tooManyRevisions(max)
        case .tooMuchHistory(let maxBytes): self = .tooMuchHistory(maxBytes)
        case .recordTooLarge(let maxBytes): self = .recordTooLarge(maxBytes)
        case .dependsOnRefused(let changeID):
            self.init(
                "dependsOnRefused", "it needs the record that change '\(changeID)' should create",
                argument: changeID)
        }
    }

    private static let tooEntangled = CauseDescription(
        "tooEntangled",
        "too many refusals in this batch depend on each other, send fewer changes at once, with "
            + "a new id for this one")

    private static func tooManyConflicts(_ max: Int) -> CauseDescription {
        CauseDescription(
            "tooManyConflicts",
            "the record has \(max) open conflicts, or very large ones, resolve them first",
            argument: "\(max)")
    }

    private static func tooManyOwnConflicts(_ max: Int) -> CauseDescription {
        CauseDescription(
            "tooManyOwnConflicts",
            "conflicts of this user are open, \(max) or very large ones, resolve some first",
            argument: "\(max)")
    }

    private static func tooMuchHistory(_ maxBytes: Int) -> CauseDescription {
        CauseDescription(
            "tooMuchHistory",
            "the record's history has \(maxBytes) bytes, it can only be deleted",
            argument: "\(maxBytes)")
    }

    private static func recordTooLarge(_ maxBytes: Int) -> CauseDescription {
        CauseDescription(
            "recordTooLarge",
            "the record would have more than \(maxBytes) bytes, shorten its values",
            argument: "\(maxBytes)")
    }

    private static func tooManyRevisions(_ max: Int64) -> CauseDescription {
        CauseDescription(
            "tooManyRevisions", "the record has \(max) revisions, it can only be deleted",
            argument: "\(max)")
    }
}

extension LimitViolation {
    fileprivate var code: String {
        switch self {
        case .tooLong: "tooLong"
        case .tooShort: "tooShort"
        case .patternMismatch: "patternMismatch"
        case .patternTooCostly: "patternTooCostly"
        case .wrongFormat: "wrongFormat"
        case .tooManyBytes: "tooManyBytes"
        case .notAllowed: "notAllowed"
        case .greaterThan: "greaterThan"
        case .greaterThanOrEqualTo, .tooEarly: "greaterThanOrEqualTo"
        case .lessThan: "lessThan"
        case .lessThanOrEqualTo, .tooLate: "lessThanOrEqualTo"
        case .tooManyFractionDigits: "tooManyFractionDigits"
        case .illegalCharacter: "illegalCharacter"
        }
    }

    /// The end of a sentence about a value: its fault, or its limit.
    fileprivate var demand: String {
        switch self {
        case .tooLong(let max): "is longer than \(max) characters"
        case .tooShort(let min): "is shorter than \(min) characters"
        case .patternMismatch(let pattern): "must match '\(pattern.source)'"
        case .patternTooCostly(let max):
            "takes too long to match, the texts of a record may take \(max) steps, shorten them"
        case .wrongFormat(let kind): "must be \(kind.description)"
        case .tooManyBytes(let max): "has more than \(max) bytes"
        case .notAllowed(let values):
            "must be one of \(values.map { "'\($0)'" }.joined(separator: ", "))"
        case .greaterThan(let min): "must be greater than \(min)"
        case .greaterThanOrEqualTo(let min): "must be \(min) or more"
        case .lessThan(let max): "must be less than \(max)"
        case .lessThanOrEqualTo(let max): "must be \(max) or less"
        case .tooEarly(let min): "must be \(readableInstant(milliseconds: min)) or later"
        case .tooLate(let max): "must be \(readableInstant(milliseconds: max)) or earlier"
        case .tooManyFractionDigits(let max): "takes \(max) fraction digits at most"
        case .illegalCharacter: "holds a character that it may not, such as U+0000"
        }
    }

    /// The limit, in the form of the original wire.
    fileprivate var argument: String? {
        switch self {
        case .tooLong(let limit), .tooShort(let limit), .tooManyFractionDigits(let limit),
            .patternTooCostly(let limit), .tooManyBytes(let limit):
            "\(limit)"
        case .wrongFormat(let kind): kind.rawValue
        case .patternMismatch(let pattern): pattern.source
        case .notAllowed(let values): values.joined(separator: "|")
        case .greaterThan(let limit), .greaterThanOrEqualTo(let limit), .lessThan(let limit),
            .lessThanOrEqualTo(let limit):
            "\(limit)"
        case .tooEarly(let limit), .tooLate(let limit): "\(limit)"
        case .illegalCharacter: nil
        }
    }
}

extension TextFormat.Kind {
    fileprivate var description: String {
        switch self {
        case .json:
            "the text of a JSON object or array, nested at most \(TextFormat.maxDepth) deep, "
                + "without numbers of more than \(DecimalNumber.maxDigits) digits"
        case .base64: "bytes in base64, padded and without line breaks"
        case .geo: "a latitude and a longitude in degrees, such as '52.5,13.4'"
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
