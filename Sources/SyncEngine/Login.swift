import Foundation

/// The name with which a user signs in.
package enum Login {
    package static let maxBytes = 255

    /// Returns the login in composed Unicode form (NFC), so that it matches whatever form a
    /// keyboard produces. Returns nil if it is empty, longer than 255 bytes, or contains a control
    /// character or white space.
    package static func normalized(_ text: String) -> String? {
        let login = text.precomposedStringWithCanonicalMapping
        guard (1...maxBytes).contains(login.utf8.count) else { return nil }
        let isLegal = login.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }
        return isLegal ? login : nil
    }

    /// As `normalized`, for a user who is made: also returns nil if the login contains a format
    /// character, which nobody sees, or U+FFFD, which stands for bytes that were lost. There may be
    /// users with such logins, from before.
    package static func normalizedOfNewUser(_ text: String) -> String? {
        guard let login = normalized(text) else { return nil }
        let isLegal = login.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .format && scalar != "\u{FFFD}"
        }
        return isLegal ? login : nil
    }
}
