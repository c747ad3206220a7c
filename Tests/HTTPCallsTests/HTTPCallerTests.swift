import HTTPCalls
import Synchronization
import TestKit
import Testing

/// Calls of real servers, correct and faulty ones.
@Suite(.timeLimit(.minutes(5))) struct HTTPCallerTests {
    private static let whole = HTTPLimits(
        answers: .whole(maxBytes: 1000), idleSeconds: 60, calls: 4)
    private static let status = HTTPLimits(answers: .status, idleSeconds: 60, calls: 4)

    private func post(
        _ caller: HTTPCaller = HTTPCaller(whole), to server: ScriptedServer
    ) async throws(HTTPCallFailure) -> HTTPAnswer {
        try await caller.call(
            HTTPCall("POST", "http://127.0.0.1:\(server.port)/", body: Array("body".utf8)))
    }

    /// Nil if there is no answer.
    private func status(_ caller: HTTPCaller, _ server: ScriptedServer) async -> Int? {
        try? await post(caller, to: server).status
    }

    @Test func answerIsItsStatusItsHeadersAndItsBody() async throws {
        let server = try ScriptedServer { _ in
            .bytes(
                Array("HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n".utf8)
                    + ScriptedServer.answer(
                        "418 Teapot", headers: ["X-Name:  two words ", "x-name: other"],
                        body: "tea"))
        }
        let expected = HTTPAnswer(
            status: 418, headers: ["content-length": "3", "x-name": "two words"],
            body: Array("tea".utf8))
        #expect(try await post(to: server) == expected)
    }

    @Test(arguments: [
        ("GET", nil), ("HEAD", nil), ("DELETE", nil), ("POST", nil), ("POST", ""), ("PUT", ""),
        ("PUT", "body"), ("POST", "body"), ("PATCH", "b"), ("DELETE", "body"),
    ])
    func requestIsSentUnchanged(method: String, body: String?) async throws {
        let requests = Mutex<[ScriptedServer.Request]>([])
        let server = try ScriptedServer { request in
            requests.withLock { $0.append(request) }
            return .bytes(ScriptedServer.answer("204 No Content"))
        }
        let url = "http://127.0.0.1:\(server.port)/a/b?c=d%20e"
        let answer = try await HTTPCaller(Self.whole).call(
            HTTPCall(
                method, url, headers: ["X-Name": "value", "X-Empty": ""],
                body: body.map { Array($0.utf8) }))
        #expect(answer.status == 204)
        let request = try #require(requests.withLock { $0.first })
        #expect(request.line == "\(method) /a/b?c=d%20e HTTP/1.1")
        #expect(String(decoding: request.body, as: UTF8.self) == body ?? "")
        let lines = Set(request.headers.split(separator: "\r\n").dropFirst())
        #expect(lines.isSuperset(of: ["X-Name: value", "X-Empty:"]))
        let hasLength = body != nil || ["POST", "PUT"].contains(method)
        #expect(lines.contains("Content-Length: \(body?.utf8.count ?? 0)") == hasLength)
        #expect(!lines.contains { $0.hasPrefix("Content-Type") || $0.hasPrefix("Expect") })
    }

    @Test func headerIsOneLine() async throws {
        let server = try ScriptedServer { _ in .silence }
        await #expect(throws: HTTPCallFailure.self) {
            try await HTTPCaller(Self.whole).call(
                HTTPCall("GET", "http://127.0.0.1:\(server.port)", headers: ["A": "b\r\nC: d"]))
        }
        #expect(server.connections == 0)
    }

    /// It would be another request without the invalid part.
    @Test func requestThatCannotBeWrittenIsNotSent() async throws {
        let server = try ScriptedServer { _ in .bytes(ScriptedServer.answer("200 OK")) }
        // Longer than the longest string that libcurl accepts.
        let method = String(repeating: "A", count: 8_000_001)
        await #expect(throws: HTTPCallFailure.self) {
            try await HTTPCaller(Self.whole).call(
                HTTPCall(method, "http://127.0.0.1:\(server.port)"))
        }
        #expect(server.connections == 0)
    }

    /// Foundation's own client ends the process if the head breaks after its first line.
    @Test func answerThatIsCutAnywhereIsFailure() async throws {
        let answer = ScriptedServer.answer("200 OK", headers: ["X-Name: value"], body: "body")
        let cut = Mutex(0)
        let server = try ScriptedServer { _ in
            .lastBytes(Array(answer.prefix(cut.withLock { $0 })))
        }
        let (wholes, statuses) = (HTTPCaller(Self.whole), HTTPCaller(Self.status))
        let head = answer.count - "body".count
        for bytes in 0...answer.count {
            cut.withLock { $0 = bytes }
            let place = "after \(bytes) of \(answer.count) bytes"
            #expect(await status(wholes, server) == (bytes == answer.count ? 200 : nil), "\(place)")
            #expect(await status(statuses, server) == (bytes >= head ? 200 : nil), "\(place)")
        }
    }

    @Test func connectionIsReusedAfterCompleteResponse() async throws {
        for (limits, connections) in [(Self.whole, 1), (Self.status, 5)] {
            let server = try ScriptedServer { _ in
                .bytes(ScriptedServer.answer("200 OK", body: "body"))
            }
            let caller = HTTPCaller(limits)
            for _ in 0..<5 { #expect(await status(caller, server) == 200) }
            #expect(server.connections == connections)
        }
    }

    /// The server closes the connection without an answer.
    @Test func callForItsStatusIsMadeOnce() async throws {
        let requests = Mutex(0)
        let server = try ScriptedServer { request in
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            return number == 1 ? .bytes(ScriptedServer.answer("200 OK")) : .lastBytes([])
        }
        let caller = HTTPCaller(Self.status)
        #expect(await status(caller, server) == 200)
        #expect(await status(caller, server) == nil)
        #expect(requests.withLock { $0 } == 2)
    }

    /// The endless body does not delay other calls.
    @Test func bodyThatDoesNotEndIsNotWaitedFor() async throws {
        let server = try ScriptedServer { _ in
            .bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        }
        let limits = HTTPLimits(answers: .status, idleSeconds: 600, calls: 1)
        #expect(await status(HTTPCaller(limits), server) == 200)
    }

    /// Servers close idle connections; the next call opens a new one.
    @Test func closedConnectionIsReplaced() async throws {
        let server = try ScriptedServer { _ in
            .lastBytes(ScriptedServer.answer("200 OK", body: "body"))
        }
        let caller = HTTPCaller(Self.whole)
        for _ in 0..<5 { #expect(await status(caller, server) == 200) }
        #expect(server.connections == 5)
    }

    @Test func redirectIsAnswer() async throws {
        let elsewhere = try ScriptedServer { _ in .silence }
        let server = try ScriptedServer { _ in
            let place = "Location: http://127.0.0.1:\(elsewhere.port)/"
            return .bytes(ScriptedServer.answer("307 Temporary Redirect", headers: [place]))
        }
        #expect(await status(HTTPCaller(Self.whole), server) == 307)
        #expect(elsewhere.connections == 0)
    }

    @Test func longAnswerIsRefusedWhereItIsWanted() async throws {
        for (count, isTaken) in [(1000, true), (1001, false), (1 << 20, false)] {
            let server = try ScriptedServer { _ in
                .bytes(
                    ScriptedServer.answer("200 OK", body: String(repeating: "a", count: count)))
            }
            #expect(await status(HTTPCaller(Self.status), server) == 200)
            do {
                #expect(try await post(to: server).body.count == count)
                #expect(isTaken)
            } catch {
                #expect(error.reason == "the answer is too long" && !isTaken)
            }
        }
    }

    @Test(arguments: [
        ("of a call", HTTPLimits(answers: .status, totalSeconds: 1, idleSeconds: 600, calls: 1)),
        ("of silence", HTTPLimits(answers: .status, idleSeconds: 1, calls: 1)),
    ])
    func serverThatSaysNothingIsGivenUp(limit: String, limits: HTTPLimits) async throws {
        let server = try ScriptedServer { _ in .silence }
        await #expect(throws: HTTPCallFailure.self, "\(limit)") {
            try await post(HTTPCaller(limits), to: server)
        }
        // None where the time was over before the server took the connection.
        #expect(server.connections <= 1, "nothing is tried again")
    }

    @Test func failuresAreReportedWithTheirReason() async throws {
        let server = try ScriptedServer { _ in .reset }
        let limits = HTTPLimits(answers: .status, idleSeconds: 60, calls: 1)
        for (url, named, reason) in [
            ("http://127.0.0.1:1/secret", "127.0.0.1", "Could"),
            ("http://127.0.0.1:\(server.port)/secret", "reset", "Failure when receiving data"),
            ("ftp://127.0.0.1/secret", "ftp", "Unsupported protocol"),
            ("no url", "", "URL using bad/illegal format"),
        ] {
            do {
                _ = try await HTTPCaller(limits).call(HTTPCall("GET", url))
                Issue.record("\(url) was called")
            } catch {
                #expect(error.reason.hasPrefix(reason), "\(error)")
                #expect(named == "" || error.details.contains(named), "\(error)")
                #expect(!error.reason.contains("127.0.0.1"))
            }
        }
    }

    /// The first call has the connection, the second one is queued.
    @Test(arguments: [[0, 1], [1, 0]]) func cancelledCallEnds(order: [Int]) async throws {
        let (came, coming) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { _ in
            coming.yield()
            return .silence
        }
        let caller = HTTPCaller(HTTPLimits(answers: .status, idleSeconds: 600, calls: 1))
        var calls = [Task { await status(caller, server) }]
        for await _ in came { break }
        calls.append(Task { await status(caller, server) })
        for index in order {
            calls[index].cancel()
            #expect(await calls[index].value == nil)
        }
    }

    @Test func noMoreCallsAreMadeAtATimeThanMay() async throws {
        let server = try ScriptedServer { _ in .bytes(ScriptedServer.answer("200 OK")) }
        let caller = HTTPCaller(Self.whole)
        let answers = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { await status(caller, server) } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: 200, count: 50))
        #expect((1...4).contains(server.connections))
    }
}
