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
}
