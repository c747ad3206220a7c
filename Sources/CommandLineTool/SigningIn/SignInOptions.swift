import ArgumentParser
import JSON
import OpenIDConnect

/// Options for signing in with providers; see `ServeSettings`.
struct SignInOptions: ParsableArguments {
    @Option(ServeSettings.publicAddress) var publicAddress: String?
    @Option(ServeSettings.signInProviders) var signInProviders: String?

    func providers(_ settings: ResolvedSettings) async throws -> SignInProviders {
        let address = try await publicAddress(settings)
        let path = try await settings.value(
            of: ServeSettings.signInProviders, given: signInProviders)
        guard !path.isEmpty else { return SignInProviders([], publicAddress: address) }
        let providers = try ProviderFile.providers(path)
        if address == nil, let first = providers.first(where: { !$0.provider.redirects.isEmpty }) {
            throw ToolFailure(
                .wrongUsage,
                "browsers are sent to provider '\(first.provider.name)', and nothing says where "
                    + "it sends them back",
                help: "set publicAddress to the address of this server, as in "
                    + "'https://sync.example'")
        }
        return SignInProviders(providers, publicAddress: address)
    }

    /// Nil if it is not set.
    private func publicAddress(_ settings: ResolvedSettings) async throws -> String? {
        let text = try await settings.value(of: ServeSettings.publicAddress, given: publicAddress)
        guard !text.isEmpty else { return nil }
        guard SignInProviders.isAcceptable(publicAddress: text) else {
            throw ToolFailure(
                .wrongUsage, "'\(text)' is not the address of a server",
                help: "write scheme, host and port without a path, as in 'https://sync.example'; "
                    + "http is for this machine only")
        }
        return text
    }
}

/// The file that describes providers.
private struct ProviderFile: Decodable {
    private let described: [IdentityProvider]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case providers
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        described = try container.decode([IdentityProvider].self, forKey: .providers)
    }

    /// The providers of a file, with their secrets.
    static func providers(
        _ path: String
    ) throws -> [(provider: IdentityProvider, secret: ClientSecret?)] {
        let bytes = try Disk.read(path, upTo: 1 << 20)
        do {
            let file = try decodeMessage(ProviderFile.self, from: bytes)
            return try file.checked()
        } catch let error as DecodingError {
            throw failure(path, error.plainText)
        } catch let error as ProviderFault {
            throw failure(path, error.text)
        }
    }

    private static func failure(_ path: String, _ fault: String) -> ToolFailure {
        ToolFailure(
            .inputAtFault, "'\(path)' does not describe providers: \(fault)",
            help: "the page 'Signing in with another provider' of the documentation shows one")
    }

    private func checked() throws -> [(provider: IdentityProvider, secret: ClientSecret?)] {
        var known: Set<String> = []
        return try described.map { provider in
            if let fault = provider.fault { throw ProviderFault(text: fault) }
            guard known.insert(provider.name).inserted else {
                throw ProviderFault(text: "two providers are named '\(provider.name)'")
            }
            return (
                provider,
                try provider.clientSecretFile.map { ClientSecret(try Disk.firstLine(of: $0)) }
            )
        }
    }
}

private struct ProviderFault: Error {
    let text: String
}

extension DecodingError {
    /// The place and the fault.
    fileprivate var plainText: String {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
            context = found
        case .keyNotFound(let key, let found):
            return "'\(key.stringValue)' is missing at '\(found.codingPath.text)'"
        @unknown default: return "it cannot be read"
        }
        return "\(context.debugDescription), at '\(context.codingPath.text)'"
    }
}

extension [any CodingKey] {
    fileprivate var text: String { map(\.stringValue).joined(separator: ".") }
}
