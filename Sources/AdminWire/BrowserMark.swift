import Administration
import Hashing
import Secrets

/// The proof by which a browser is known after its session has ended: a random text with a hash of
/// it under the operator's stored password. It opens nothing, and ends when the password changes.
enum BrowserMark {
    /// The time for which browsers keep it.
    static let keptSeconds = 400 * 24 * 3600

    static func make(of person: Operator) -> String {
        let text = BearerToken.make()
        return "\(text).\(signature(of: text, person))"
    }

    static func isValid(_ mark: String, of person: Operator) -> Bool {
        let parts = mark.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return false }
        // Hashes are compared, so that the time tells nothing of the signature.
        return BearerToken.hash(parts[1]) == BearerToken.hash(signature(of: parts[0], person))
    }

    private static func signature(of text: String, _ person: Operator) -> String {
        var hash = HMACSHA256(key: Array(person.passwordHash.utf8))
        hash.update(Array("browser \(text) \(person.name)".utf8))
        return URLSafeBase64.text(of: hash.finalize())
    }
}
