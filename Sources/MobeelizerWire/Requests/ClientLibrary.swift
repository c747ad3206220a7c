import ChangeRules
import DefinitionModel
import JSON
import WholeRecordSync

/// The library that a client was made with, as far as its lines differ from those of others.
enum ClientLibrary: Hashable, Sendable {
    case android
    case iOS
    case other

    /// - Parameter version: The header `mas-sdk-version`, such as `ios-sdk-1.1.0`.
    init(version: String) {
        self =
            version.hasPrefix("ios-sdk-")
            ? .iOS : version.hasPrefix("android-sdk-") ? .android : .other
    }

    /// How exactly it holds values.
    var precision: ClientPrecision {
        switch self {
        case .android: ClientPrecision(isOfDoubles: true)
        case .iOS: ClientPrecision(isOfDoubles: true, isOfSeconds: true)
        case .other: .exact
        }
    }

    /// Whether a line lacks the fields of files that have no value.
    var leavesOutEmptyFiles: Bool {
        switch self {
        case .iOS: true
        case .android, .other: false
        }
    }
}

// MARK: - Dates

extension ClientLibrary {
    /// A value as the client reads it: the library for iOS takes dates for seconds.
    func shown(_ value: JSONValue, of field: Field) -> JSONValue {
        guard precision.isOfSeconds, field.type.name == .date,
            case .integer(let milliseconds) = value
        else { return value }
        return .integer(ClientPrecision.seconds(of: milliseconds))
    }

    /// A value that the client has written.
    func meant(_ value: GivenValue) -> GivenValue {
        guard precision.isOfSeconds, case .value(.date(let seconds)) = value else { return value }
        let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        guard !isTooLarge, let date = FieldValue(.integer(milliseconds), of: .date) else {
            return .unreadable
        }
        return .value(date)
    }
}
