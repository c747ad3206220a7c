/// Says that a user signs in with a provider. Its text stands in the place of the hash of a
/// password, so that a user has either a password or a link.
package struct IdentityLink: Hashable, Sendable {
    package let provider: String
    /// See `ProvenIdentity`. Nil until the first sign-in, which decides who the user is.
    package let person: String?

    package init(provider: String, person: String? = nil) {
        self.provider = provider
        self.person = person
    }

    /// Nil for the hash of a password.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == Self.kind,
            Self.isLegal(provider: String(parts[2]))
        else { return nil }
        provider = String(parts[2])
        person = parts[3].isEmpty ? nil : String(parts[3])
    }

    package var text: String { "$\(Self.kind)$\(provider)$\(person ?? "")" }

    /// Whether a name of a provider has 1 to 32 letters, digits, '-' and '_'.
    package static func isLegal(provider: String) -> Bool {
        (1...32).contains(provider.utf8.count)
            && provider.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                    || "-_".utf8.contains($0)
            }
    }

    /// Whether the person of another link is the user of this one. A link without a person is for
    /// the first whom its provider names so.
    func admits(_ other: IdentityLink) -> Bool {
        person.map { $0 == other.person } ?? (provider == other.provider)
    }

    private static let kind = "provider"
}
