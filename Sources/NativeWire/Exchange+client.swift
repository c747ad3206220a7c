import DefinitionModel
import HTTPTypes
import Hummingbird
import NativeCalls
import SyncEngine
import SyncServer

extension Exchange {
    /// The fingerprint of the definition that the client was built with; nil if it is the served
    /// one, or if the client names none.
    var otherVersion: String? {
        guard let definitionHeader, let named = request.headers[definitionHeader],
            !engine.isCurrent(named)
        else { return nil }
        return named
    }

    /// The fingerprint that the client names as its version; empty without one, and for a text
    /// that is no fingerprint.
    var namedVersion: String {
        guard let definitionHeader, let named = request.headers[definitionHeader],
            ServedEnvironment.isFingerprint(named)
        else { return "" }
        return named
    }

    /// The engine for a client of another version; nil for a client of the served version, and of
    /// a version that the database does not have. Such a client is answered in the words of the
    /// served version.
    func client() async throws -> ClientEngine? {
        guard let otherVersion else { return nil }
        return try await environment.client(ofVersion: otherVersion, in: host.environments)
    }

    /// Says in whose words the response is, if the client names a version: its own, or the served
    /// one.
    func nameVersion(in response: inout Response) async throws {
        guard let definitionHeader, request.headers[definitionHeader] != nil else { return }
        let isTranslated = try await client() != nil
        response.headers[definitionHeader] =
            isTranslated ? otherVersion : environment.definition.fingerprint
    }
}

let definitionHeaderName = "Waggle-Definition"
private let definitionHeader = HTTPField.Name(definitionHeaderName)
