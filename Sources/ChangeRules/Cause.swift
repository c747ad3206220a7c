package import DefinitionModel

/// Why a change was refused: one of possibly several reasons.
package struct Cause: Hashable, Sendable {
    package let reason: Reason
    /// The field at fault; nil when it is the record or the change as a whole.
    package let field: String?
    /// The rule's place in the definition; nil when no rule of it was broken.
    package let place: SourcePlace?

    package init(_ reason: Reason, field: String? = nil, place: SourcePlace? = nil) {
        self.reason = reason
        self.field = field
        self.place = place
    }

    package enum Reason: Hashable, Sendable {
        // The definition's limits
        case empty
        case limit(LimitViolation)
        case wrongType(expected: FieldTypeName)
        case notFound(guid: String, model: String)
        /// Another record has the value. Which one is nobody's to know.
        case notUnique
        /// The file is somebody else's, and not shown to the author of the change.
        case fileNotYours(guid: String)
        // The definition's rights
        case notGranted(Operation, level: AccessLevel)
        // The names in the change, and the change itself
        case unknownModel(String)
        case unknownField(String)
        case change(ChangeFault)
        /// A reason of an outcome that was stored when outcomes kept sentences.
        case recorded(RecordedReason)
    }
}

/// A reason in the words of the version that stored it.
package struct RecordedReason: Hashable, Sendable {
    /// As the native wire names it.
    package let code: String
    package let message: String
    package let argument: String?

    package init(code: String, message: String, argument: String?) {
        self.code = code
        self.message = message
        self.argument = argument
    }
}

/// A fault of a change itself, or of what it says about its record.
package enum ChangeFault: Hashable, Sendable {
    case illegalChangeID(maxBytes: Int)
    case changeIDReused
    case illegalGuid
    case guidTaken
    case unexpectedFields
    case recordUnknown
    case recordDeleted
    case baseMissing
    case baseUnknown
    case notConflicted
    case resolutionStale
    /// Its author did not know the record's present state, and wants to settle that themselves.
    case stale(revision: Int64)
    /// The creation that it needs was refused.
    case dependsOnRefused(changeID: String)
    /// Its batch's refusals bring each other on for longer than others can wait.
    case tooEntangled
    case tooManyConflicts(max: Int)
    /// Its author has opened so many conflicts, or so many bytes of them, that are still open.
    case tooManyOwnConflicts(max: Int)
    /// The record has changed so often that it can only be deleted.
    case tooManyRevisions(max: Int64)
    /// The record's history has so many bytes that it can only be deleted.
    case tooMuchHistory(maxBytes: Int)
    /// The change would make the record larger than records may be.
    case recordTooLarge(maxBytes: Int)
}
