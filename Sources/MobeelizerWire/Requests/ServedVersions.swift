import DefinitionModel

/// What a server can serve to clients: an environment of one application, for its present version
/// and for every one that was deployed before.
struct ServedVersions: Sendable {
    private let environment: String
    private let now: Definition
    private let lenses: [String: VersionLens]

    /// Of versions with the same digest, which original clients cannot tell apart, the last counts.
    init(environment: String, now: Definition, before: [Definition]) {
        self.environment = environment
        self.now = now
        lenses = Dictionary(
            (before + [now]).map { ($0.digest, VersionLens(now: now, client: $0)) },
            uniquingKeysWith: { _, later in later })
    }

    /// How the client sees the data; or why there is none for it here.
    func lens(for client: ClientIdentity) throws(WireRefusal) -> VersionLens {
        guard client.vendor == now.vendor, client.application == now.application else {
            throw .applicationUnknown(
                "\(client.vendor)/\(client.application)",
                served: "\(now.vendor)/\(now.application)")
        }
        guard client.environment == environment else {
            throw .environmentUnknown(client.environment, served: environment)
        }
        guard let lens = lenses[client.digest] else { throw .digestUnknown(client.digest) }
        return lens
    }
}
