import GRDB

/// The reason why an operation on the records of this device failed.
public enum DatabaseError: Error, Hashable, Sendable {
    /// Nobody is logged in.
    case notLoggedIn
    /// Rights or limits of the definition forbid the change. The list has every reason.
    case refused([Refusal])
    /// There is no such record, or none that this user sees.
    case recordUnknown(guid: String)
    /// The record was removed, and the server may know already: save a copy with a new guid.
    case removed(guid: String)
    /// More than one record was found where there should be one.
    case notUnique(model: String)
    /// A stored record does not fit the generated model.
    case unreadable(RecordError)
    /// The disk is full, or a quota is used up. Nothing was changed.
    case outOfSpace
    /// Any other failure, in the words of the database or the system.
    case failed(String)
}

/// One reason why a change is refused.
public struct Refusal: Hashable, Sendable, CustomStringConvertible {
    /// The code for programs, such as `tooLong`; the same as on the server.
    public let code: String
    /// The message for people.
    public let message: String
    /// The field at fault; nil if it is the record as a whole.
    public let field: String?
    /// The code's argument, such as the limit that was broken.
    public let argument: String?

    /// The message.
    public var description: String { message }
}

extension DatabaseError {
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError: self = error
        case let error as RecordError: self = .unreadable(error)
        case let error as GRDB.DatabaseError where error.resultCode == .SQLITE_FULL:
            self = .outOfSpace
        default: self = .failed("\(error)")
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .notLoggedIn: "nobody is logged in, log in first"
        case .refused(let refusals): refusals.map(\.message).joined(separator: "; ")
        case .recordUnknown(let guid): "there is no record '\(guid)'"
        case .removed(let guid):
            "the record '\(guid)' was removed; save a copy with a guid of its own"
        case .notUnique(let model): "more than one record of '\(model)' was found"
        case .unreadable(let error): error.description
        case .outOfSpace: "the disk is full; nothing was changed"
        case .failed(let text): "the database on this device failed: \(text)"
        }
    }
}
