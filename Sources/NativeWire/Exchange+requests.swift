import HTTPTypes
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncProtocol
import SyncServer

extension Exchange {
    /// The message and its sender, once the whole body has arrived.
    func read<Message: Decodable & Sendable>(
        _ type: Message.Type, upTo maxBytes: Int
    ) async throws -> (message: Message, caller: Caller) {
        // Authenticates before reading a large body.
        if !request.hasSmallBody { _ = try await caller() }
        let body = try await wholeBody(upTo: maxBytes)
        // Identifies the caller again, because reading may take long and the current rights count.
        let caller = try await caller()
        let message = try await compute(ofBody: body.count, for: caller) {
            try decodeBody(type, from: body)
        }
        return (message, caller)
    }

    /// A response with a message, encoded on a thread for what takes long unless it is small.
    func answer(_ message: some MeasuredMessage, to caller: Caller) async throws -> Response {
        try await compute(ofBody: message.approximateBytes, for: caller) { try .json(message) }
    }

    func caller() async throws -> Caller {
        let caller = try await engine.identify(tokenHash: try tokenHash(), at: now)
        context.charge(caller.login, in: environment)
        note(caller, wire: "waggle", fingerprint: namedVersion)
        return caller
    }

    /// Whether the request is small, and the store may know its sender without asking.
    var mayPresumeCaller: Bool { engine.store.presumesSessions && request.hasSmallBody }

    /// The message of a small request, whose sender is still to be identified. If it cannot be
    /// decoded, an unknown sender is refused first.
    func readSmall<Message: Decodable>(
        _ type: Message.Type, upTo maxBytes: Int
    ) async throws -> Message {
        let body = try await wholeBody(upTo: maxBytes)
        do {
            return try decodeBody(type, from: body)
        } catch {
            _ = try await caller()
            throw error
        }
    }

    /// The sender as this process last knew it: see `Engine.presumedCaller`.
    func presumedCaller() throws -> Caller? {
        let caller = engine.presumedCaller(tokenHash: try tokenHash(), at: now)
        if let caller {
            context.charge(caller.login, in: environment)
            note(caller, wire: "waggle", fingerprint: namedVersion)
        }
        return caller
    }

    func tokenHash() throws -> [UInt8] {
        // Splits bytes, because finding character boundaries dominates otherwise.
        let words = request.headers[.authorization]?.utf8.split(separator: UInt8(ascii: " ")) ?? []
        let caseBit: UInt8 = 0x20
        guard words.count == 2, words[0].elementsEqual("bearer".utf8, by: { $0 | caseBit == $1 })
        else { throw HTTPFailure.tokenMissing() }
        return BearerToken.hash(String(Substring(words[1])))
    }

    func decode<Message: Decodable>(
        _ type: Message.Type, upTo maxBytes: Int
    ) async throws -> Message {
        try decodeBody(type, from: try await wholeBody(upTo: maxBytes))
    }
}

private func decodeBody<Message: Decodable>(
    _ type: Message.Type, from body: [UInt8]
) throws -> Message {
    do {
        return try decodeMessage(type, from: body)
    } catch let error as DecodingError {
        throw HTTPFailure(error)
    }
}

extension Request {
    /// The declared size, which the body may not exceed.
    fileprivate var hasSmallBody: Bool {
        headers[.contentLength].flatMap { Int($0) }.map { $0 <= WorkPool.smallBodyBytes } ?? false
    }
}
