import DefinitionModel
import Synchronization
import VersionTranslation

/// The translations between versions of an environment, and the rules for clients of each version.
/// Each is made on first use.
final class ClientRules: Sendable {
    /// The maximum number of translations and of rules that are kept.
    private static let mostKept = 64

    /// In the order of their deployment, the present one last.
    private let versions: [Definition]
    private let kept = Mutex(Kept())

    private struct Kept {
        /// By the fingerprint of the client's version.
        var translations: [String: ClientTranslation] = [:]
        var rules: [String: Rules] = [:]
        var words: [String: KeptWords] = [:]
    }

    init(of versions: [Definition]) { self.versions = versions }

    /// Returns the translation for clients of another version of the environment; nil for a version
    /// that it never had.
    func translation(ofClient fingerprint: String) -> ClientTranslation? {
        if let known = kept.withLock({ $0.translations[fingerprint] }) { return known }
        guard let present = versions.last,
            let made = translation(of: fingerprint, to: present.fingerprint)
        else { return nil }
        keep(made)
        return made
    }

    /// Keeps the translation for clients of a version, which may not have been deployed here.
    func keep(_ translation: ClientTranslation) {
        keep { $0.translations[translation.client.fingerprint] = translation }
    }

    /// Returns what clients of a translation know of the served version.
    func rules(of translation: ClientTranslation) -> Rules {
        let definition = translation.reduced
        if let known = kept.withLock({ $0.rules[definition.fingerprint] }) { return known }
        let made = Rules(definition)
        keep { $0.rules[definition.fingerprint] = made }
        return made
    }

    /// Returns the rules of the version of a translation's clients.
    func ownRules(of translation: ClientTranslation) -> Rules {
        let fingerprint = translation.client.fingerprint
        if let known = kept.withLock({ $0.rules[fingerprint] }) { return known }
        let made = Rules(translation.client)
        keep { $0.rules[fingerprint] = made }
        return made
    }

    /// Returns what a client held of a version when it read it as one of another version, now that
    /// it has been updated; nil if one of the versions is unknown.
    ///
    /// An updated client finds its fields again by the names of the two versions alone. A field
    /// that only a version between them renamed is not found so, and counts as not held.
    ///
    /// - Parameters:
    ///   - fingerprint: Names both versions, see `ClientTranslation.fingerprint(of:for:)`.
    ///   - reader: Names the version that the client reads now, and its own if that is another.
    func rules(heldOf fingerprint: String, by reader: String) -> Rules? {
        let key = "\(fingerprint)>\(reader)"
        if let known = kept.withLock({ $0.rules[key] }) { return known }
        guard let held = ClientTranslation.names(in: fingerprint),
            let former = translation(of: held.client, to: held.served)
        else { return nil }
        let now = ClientTranslation.names(in: reader) ?? (served: reader, client: reader)
        let made: Rules
        if now.client == held.client {
            made = Rules(former.reduced)
        } else {
            guard let present = translation(of: now.client, to: held.served) else { return nil }
            made = Rules(former.reduced(heldAfterUpdateTo: present))
        }
        keep { $0.rules[key] = made }
        return made
    }

    /// Returns what a client reads in the same words now as when it held a version; nil if it is of
    /// another version by now. One that named none counts as one of the version that it was served.
    func words(heldOf fingerprint: String, by reader: String) -> KeptWords? {
        let names = [fingerprint, reader].map {
            ClientTranslation.names(in: $0) ?? (served: $0, client: $0)
        }
        let (held, now) = (names[0], names[1])
        guard fingerprint != reader, held.client == now.client else { return nil }
        let key = "\(fingerprint)>\(reader)"
        if let known = kept.withLock({ $0.words[key] }) { return known }
        // The first deployment, since it is unknown which one the client held.
        guard let before = translation(of: held.client, to: held.served),
            let after = translation(of: now.client, to: now.served),
            let start = versions.firstIndex(where: { $0.fingerprint == held.served }),
            let end = versions.lastIndex(where: { $0.fingerprint == now.served }), start <= end
        else { return nil }
        let made = KeptWords(before: before, after: after, over: Array(versions[start...end]))
        keep { $0.words[key] = made }
        return made
    }

    private func translation(of client: String, to served: String) -> ClientTranslation? {
        if let path = VersionPath(from: client, to: served, along: versions),
            let version = versions.last(where: { $0.fingerprint == client })
        {
            return ClientTranslation(of: version, along: path)
        }
        guard let known = kept.withLock({ $0.translations[client] }) else { return nil }
        return known.served.fingerprint == served ? known : translation(known, to: served)
    }

    /// Returns the translation to an earlier version of the environment for clients of a version
    /// that it never had; nil if it did not have the earlier one either.
    ///
    /// - Parameter present: The translation to the present version.
    private func translation(
        _ present: ClientTranslation, to served: String
    ) -> ClientTranslation? {
        guard let place = versions.lastIndex(where: { $0.fingerprint == served }) else {
            return nil
        }
        let path: VersionPath =
            switch VersionPath(from: present.client, to: present.served) {
            case .earlier: .earlier(versions[place...].reversed())
            case .later: VersionPath(from: present.client, to: versions[place])
            }
        return ClientTranslation(of: present.client, along: path)
    }

    private func keep(_ change: (inout Kept) -> Void) {
        kept.withLock { kept in
            if kept.translations.count >= Self.mostKept { kept.translations = [:] }
            if kept.rules.count >= Self.mostKept { kept.rules = [:] }
            if kept.words.count >= Self.mostKept { kept.words = [:] }
            change(&kept)
        }
    }
}
