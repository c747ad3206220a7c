import DefinitionModel
import FileExchange
import ForeignValues
import Foundation
import HTTPTypes
import Hashing
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer

/// The contents of files.
extension ParseExchange {
    /// The address of the wire, as the client knows it.
    var base: String { exchange.address + prefix }

    func files(_ rest: [String]) async throws -> ParseAnswer {
        guard let name = rest.first else { throw ParseFailure(122, "Filename not provided.") }
        guard rest.count == 1 else { throw ParseFailure.objectNotFound }
        switch call.verb {
        case .post, .put: return try await upload(name)
        case .delete: return try await removeFile(name)
        case .get: throw ParseFailure.objectNotFound
        }
    }

    private func upload(_ name: String) async throws -> ParseAnswer {
        guard isLegalFileName(name) else {
            throw ParseFailure(122, "Filename contains invalid characters.")
        }
        guard tokenHash != nil || hasMasterKey else {
            throw ParseFailure(130, "sign in to upload a file")
        }
        let caller = try await caller()
        let bytes = try fileBytes()
        let (environment, uploads) = (exchange.environment, exchange.host.uploads)
        try uploads.enter(caller.login, in: environment)
        defer { uploads.leave(caller.login, in: environment) }
        let guid = uploadGuid(of: caller)
        let count = Int64(bytes.count)
        guard let contents = ContentHash(SHA256.hash(bytes)),
            let part = UploadPart(first: 0, count: count, total: count)
        else { throw ParseFailure(130, "the file cannot be saved") }
        let wanted = UploadRequest(
            guid: guid, contents: contents, part: part, freshID: freshGuid())
        if case .open(let opened) = try await environment.files.begin(
            wanted, by: caller, at: exchange.now)
        {
            try await opened.append(bytes)
            _ = try await environment.files.finish(opened, by: caller, at: exchange.now)
        }
        let file = FileValue(guid: guid, filename: name)
        let url = link(to: file) ?? ""
        return .created(
            ["name": .string(file.parseName), "url": .string(url)], at: url)
    }

    /// The guid of the file of an upload, which a repeat of the request gets again.
    private func uploadGuid(of caller: Caller) -> String {
        repeatHash(of: "file", by: caller).map { guid(ofHash: $0.bytes) } ?? freshGuid()
    }

    /// With the master key, removes a file that no object names.
    private func removeFile(_ name: String) async throws -> ParseAnswer {
        guard hasMasterKey else { throw ParseFailure.unauthorized }
        let caller = try await caller()
        guard let file = FileValue(parseName: name) else { throw ParseFailure.objectNotFound }
        let isRemoved = try await exchange.environment.files.removeUnnamed(
            file.guid, by: caller)
        guard isRemoved else {
            throw ParseFailure.forbidden("an object names the file, or did so before")
        }
        return ParseAnswer([:])
    }

    /// The body, or the member `base64` of a body of the client for JavaScript.
    private func fileBytes() throws -> [UInt8] {
        if call.hasFileBody { return body }
        if case .string(let text)? = call.body["base64"], let data = Data(base64Encoded: text) {
            return Array(data)
        }
        throw ParseFailure(130, "Invalid file upload.")
    }

    private func isLegalFileName(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.wholeMatch(of: /[_a-zA-Z0-9][a-zA-Z0-9@. ~_\-]*/) != nil
    }
}

// MARK: - Links

extension ParseExchange {
    var link: @Sendable (FileValue) -> String? { { link(to: $0) } }

    /// Nil if nobody is signed in and there is no guest.
    private func link(to file: FileValue) -> String? {
        guard let seal = sealedFile(file.guid).flatMap({ try? exchange.engine.token(of: $0) })
        else { return nil }
        let id = percentEncoded(call.credentials.applicationID)
        return "\(base)/files/\(id)/\(seal)/\(percentEncoded(file.parseName))"
    }

    private func sealedFile(_ guid: String) -> SealedFile? {
        if let tokenHash {
            return ContentHash(tokenHash).map { SealedFile(session: $0.hex, guid: guid) }
        }
        guard let user = userWithoutSession else { return nil }
        return SealedFile(
            user: user, environment: exchange.engine.environment.number, guid: guid)
    }

    /// Asks again whether the user of the link may see the file.
    func download(_ link: ParseFileLink) async throws -> Response {
        let sealed = exchange.engine.seal.value(
            of: link.seal, as: SealedFile.self, maxBytes: ParseFileLink.maxSealBytes)
        guard let sealed, let caller = try await caller(of: sealed) else {
            throw ParseFailure.objectNotFound
        }
        exchange.context.charge(caller.login, in: exchange.environment)
        let file = try await exchange.environment.files.open(sealed.guid, for: caller)
        try exchange.context.streamAnswer()
        return try Response(of: file, asked: exchange.request, exchange.context)
    }

    /// The user of the link's session, or the guest or user of the master key as long as the
    /// setting names the same one, and the latter is an admin.
    private func caller(of sealed: SealedFile) async throws -> Caller? {
        if let hash = sealed.session.flatMap({ ContentHash(hex: $0) })?.bytes {
            return try await exchange.engine.identify(tokenHash: hash, at: exchange.now)
        }
        guard let user = sealed.user,
            sealed.environment == exchange.engine.environment.number
        else { return nil }
        if user != clients.guest {
            guard user == master?.login, try await masterIsAdmin() else { return nil }
        }
        return try await exchange.engine.guestCaller(
            user, deviceCategory: clients.deviceCategory, device: Self.commonDevice)
    }
}
