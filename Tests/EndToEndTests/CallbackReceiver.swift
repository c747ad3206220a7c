import TestKit

/// A server of somebody's own, to which notifications are posted.
final class CallbackReceiver: Sendable {
    private let server: ScriptedServer
    private let calls: AsyncStream<ScriptedServer.Request>

    /// Answers each path with a status line, and what stands behind it; others with 204. Of what is
    /// to be cut it sends so many bytes only.
    init(answering answers: [String: String] = [:], cutting cuts: [String: Int] = [:]) throws {
        let (calls, calling) = AsyncStream.makeStream(of: ScriptedServer.Request.self)
        self.calls = calls
        server = try ScriptedServer { request in
            defer { calling.yield(request) }
            let answer = ScriptedServer.answer(
                answers[request.path] ?? "204 No Content", headers: ["Connection: close"])
            return .lastBytes(Array(answer.prefix(cuts[request.path] ?? answer.count)))
        }
    }

    var port: Int { server.port }

    /// Whether somebody has connected.
    var wasCalled: Bool { server.connections > 0 }

    /// The next that came, or will come. For one at a time.
    func next() async -> ScriptedServer.Request? {
        var iterator = calls.makeAsyncIterator()
        return await iterator.next()
    }
}
