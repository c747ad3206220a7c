import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// Hands a body on, piece by piece, as it comes. It may take as long as it likes, as long as 64 KiB
/// come in so many seconds.
func pieces(
    of body: RequestBody, within seconds: Int,
    taking: @escaping @Sendable ([UInt8]) async throws -> Void
) async throws {
    let arrived = NIOLockedValueBox<Int64>(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            var pieces = body.makeAsyncIterator()
            while let piece = try await pieces.nextPiece() {
                arrived.withLockedValue { $0 += Int64(piece.readableBytes) }
                try await taking([UInt8](piece.readableBytesView))
            }
        }
        group.addTask {
            var before: Int64 = 0
            while true {
                try await Task.sleep(for: .seconds(seconds))
                let now = arrived.withLockedValue { $0 }
                guard now - before >= Int64(pieceBytes) else {
                    throw HTTPFailure.uploadTooSlow(seconds: seconds, bytes: pieceBytes)
                }
                before = now
            }
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// Of what is read and written at once, and what must come or go in time.
package let pieceBytes = 64 << 10

extension RequestBody.AsyncIterator {
    /// A connection that breaks and one that sends nonsense are the same here.
    fileprivate mutating func nextPiece() async throws -> ByteBuffer? {
        do {
            return try await next()
        } catch {
            throw HTTPFailure.bodyBroken()
        }
    }
}
