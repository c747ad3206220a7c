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
        case .android, .iOS: ClientPrecision(isOfDoubles: true)
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
