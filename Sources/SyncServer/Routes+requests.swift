import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Secrets
import SyncEngine
import SyncProtocol

/// What every answer needs of its request: who asks, and what they say.
extension Routes {
    /// Who asks, and what they say, when all of it is there.
    func read<Message: Decodable>(
        _ type: Message.Type, from request: Request, _ context: Context, upTo maxBytes: Int
    ) async throws -> (message: Message, caller: Caller) {
        _ = try await caller(of: request, context)
        let message = try await decode(type, from: request, upTo: maxBytes)
        // Again, since a body may take its time: what holds is what they may do now.
        return (message, try await caller(of: request, context))
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
        let words = request.headers[.authorization]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw HTTPFailure.tokenMissing()
        }
        return BearerToken.hash(String(words[1]))
    }

    func decode<Message: Decodable>(
        _ type: Message.Type, from request: Request, upTo maxBytes: Int
    ) async throws -> Message {
        let body = try await body(of: request, upTo: maxBytes)
        do {
            return try decodeMessage(type, from: [UInt8](body.readableBytesView))
        } catch let error as DecodingError {
            throw HTTPFailure(error)
        }
    }

    /// Refused at once when the header tells that it is too large, and when it is not there in
    /// time: a client that lets a body drip would hold its connection for ever.
    private func body(of request: Request, upTo maxBytes: Int) async throws -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBytes {
            throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
        }
        let bytes = request.body
        return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask {
                do {
                    return try await bytes.collect(upTo: maxBytes)
                } catch is NIOTooManyBytesError {
                    throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
                } catch {
                    throw HTTPFailure.bodyBroken()
                }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(maxBodySeconds))
                throw HTTPFailure.bodyTooSlow(seconds: maxBodySeconds)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ByteBuffer()
        }
    }
}
