import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncProtocol

/// What every answer needs of its request: who asks, and what they say.
extension Routes {
    /// Who asks, and what they say, when all of it is there.
    func read<Message: Decodable>(
        _ type: Message.Type, from request: Request, _ context: Context, upTo maxBytes: Int
    ) async throws -> (message: Message, caller: Caller) {
        // A small body is read from anybody; a large one from those who are known.
        if !request.hasSmallBody { _ = try await caller(of: request, context) }
        let body = try await bodies.wholeBody(of: request, upTo: maxBytes, on: context)
        // Again, since a body may take its time: what holds is what they may do now.
        let caller = try await caller(of: request, context)
        return (try decode(type, from: body), caller)
    }

    func caller(of request: Request, _ context: Context) async throws -> Caller {
        try checkEnvironment(context)
        return try await engine.identify(tokenHash: try tokenHash(of: request), at: now())
    }

    /// A part of the path, such as a guid.
    func parameter(_ name: String, _ context: Context) -> String {
        context.parameters.get(name)?.removingPercentEncoding ?? ""
    }

    func checkEnvironment(_ context: Context) throws {
        let name = context.parameters.get("environment") ?? ""
        guard name == environmentName else {
            throw HTTPFailure.environmentUnknown(name, served: environmentName)
        }
    }

    func tokenHash(of request: Request) throws -> [UInt8] {
        // Bytes: to find out where characters end takes longer than all the rest.
        let words = request.headers[.authorization]?.utf8.split(separator: UInt8(ascii: " ")) ?? []
        let caseBit: UInt8 = 0x20
        guard words.count == 2, words[0].elementsEqual("bearer".utf8, by: { $0 | caseBit == $1 })
        else { throw HTTPFailure.tokenMissing() }
        return BearerToken.hash(String(Substring(words[1])))
    }

    func decode<Message: Decodable>(
        _ type: Message.Type, from request: Request, _ context: Context, upTo maxBytes: Int
    ) async throws -> Message {
        try decode(
            type, from: try await bodies.wholeBody(of: request, upTo: maxBytes, on: context))
    }

    private func decode<Message: Decodable>(
        _ type: Message.Type, from body: [UInt8]
    ) throws -> Message {
        do {
            return try decodeMessage(type, from: body)
        } catch let error as DecodingError {
            throw HTTPFailure(error)
        }
    }
}

extension Request {
    /// As its header says, which the body is held to.
    fileprivate var hasSmallBody: Bool {
        headers[.contentLength].flatMap { Int($0) }.map { $0 <= 16_384 } ?? false
    }
}
