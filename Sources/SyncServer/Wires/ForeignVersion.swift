import HTTPTypes
package import SyncEngine

/// The version that clients of another product speak, and the name of their environment.
///
/// Such a client tells nothing of the definition that it was built with. The operator does so, in
/// what the app has from its release: the address or the application id, as `ENVIRONMENT@VERSION`
/// with a number or a tag. A setting speaks for apps that were released without.
package struct ForeignVersion: Hashable, Sendable {
    package let environment: String
    /// A number or a tag; nil if the address has none.
    package let version: String?

    package init(environment: String, version: String?) {
        self.environment = environment
        self.version = version
    }

    /// Reads `ENVIRONMENT` or `ENVIRONMENT@VERSION`. No name of an environment has an `@`.
    package init(address: String) {
        let parts = address.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        self.init(environment: parts[0], version: parts.count == 2 ? parts[1] : nil)
    }
}

extension Exchange {
    /// The engine in the words of the clients of a version; nil is the version of the settings, or
    /// the served one.
    ///
    /// Throws `versionUnknown` if the database has no such version, or one of another application
    /// that the address names. The version of the settings counts for its own application.
    ///
    /// It decides nothing about rights, and is called before the client is known.
    package func words(
        ofVersion name: String?, or standard: String?
    ) async throws -> WordedEngine {
        guard let spoken = name ?? standard else { return WordedEngine(engine, for: nil) }
        guard let fingerprint = try await host.environments.fingerprint(ofVersion: spoken) else {
            throw HTTPFailure.versionUnknown(spoken)
        }
        guard !engine.isCurrent(fingerprint) else {
            return WordedEngine(engine, for: nil, isNamed: true)
        }
        let client = try await environment.client(
            ofVersion: fingerprint, in: host.environments)
        guard client != nil || name == nil else { throw HTTPFailure.versionUnknown(spoken) }
        return WordedEngine(engine, for: client)
    }
}

extension HTTPFailure {
    /// The status says that the client may send the same later. Clients take 404 for a row that is
    /// not there, and forget what they have to send.
    fileprivate static func versionUnknown(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "versionUnknown", "there is no version '\(name)'",
            help: "correct the address, or import or tag the version on the server"
        ).with(.retryAfter, "60")
    }
}
