import TestKit

/// A server that receives notifications.
final class WebhookReceiver: Sendable {
    private let server: ScriptedServer
    private let calls: AsyncStream<ScriptedServer.Request>

    /// Answers each path with a status line and what follows it; other paths with 204. For paths in
    /// `cutting`, it sends only the given number of bytes. `received` is called before an answer.
    init(
        answering answers: [String: String] = [:], cutting cuts: [String: Int] = [:],
        received: @escaping @Sendable () -> Void = {}
    ) throws {
        let (calls, calling) = AsyncStream.makeStream(of: ScriptedServer.Request.self)
        self.calls = calls
        server = try ScriptedServer { request in
            defer { calling.yield(request) }
            received()
            let answer = ScriptedServer.answer(
                answers[request.path] ?? "204 No Content", headers: ["Connection: close"])
            return .lastBytes(Array(answer.prefix(cuts[request.path] ?? answer.count)))
        }
    }

    var port: Int { server.port }

    /// Whether a connection was made.
    var wasCalled: Bool { server.connections > 0 }

    /// The next request, received or awaited. For one caller at a time.
    func next() async -> ScriptedServer.Request? {
        var iterator = calls.makeAsyncIterator()
        return await iterator.next()
    }
}
