import Foundation
import JSON
import SyncProtocol
import Testing

/// `a` and `b` are signed in on the device `phone`. The tests use several addresses of the loopback
/// network.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SignInFloodTests {
    @Test func rightPasswordsOfOneMomentAllGetIn() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let statuses = try await server.signIns(20, as: "a", from: "127.0.0.1")
        #expect(statuses == Array(repeating: 201, count: 20))
    }

    @Test func strangerWaitsAndKeepsNobodyOut() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        func guess() async throws -> Int {
            try await server.signIn("a", password: "wrong", device: "burglar", from: "127.0.0.2")
        }
        for _ in 0..<5 { #expect(try await guess() == 401) }
        try await server.site.moveLastFailure(seconds: 60)
        #expect(try await guess() == 429)
        #expect(try await server.signIn("a", device: "phone", from: "127.0.0.2") == 201)
        #expect(try await server.signIn("a", device: "tablet", from: "127.0.0.1") == 201)
        #expect(try await server.signIn("b", device: "burglar", from: "127.0.0.2") == 201)
    }

    /// Each address has five attempts, which would be hundreds together.
    @Test func guessesFromManyAddressesAreSlowed() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 1...60 {
                group.addTask {
                    var statuses: [Int] = []
                    for _ in 0..<5 {
                        statuses.append(
                            try await server.signIn(
                                "a", password: "wrong", device: "burglar",
                                from: "127.0.1.\(number)"))
                    }
                    return statuses
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(statuses) == [401, 429])
        #expect((100..<150).contains(statuses.count { $0 == 401 }), "\(statuses)")
        #expect(try await server.signIn("a", device: "phone", from: "127.0.1.1") == 201)
        #expect(try await server.signIn("b", device: "tablet", from: "127.0.1.1") == 201)
    }

    /// The flood fills the places of its address until the server refuses some of it. Those that it
    /// answers go on with another login.
    @Test func floodOfInventedLoginsRefusesOnlyItself() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let (refusals, refused) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<320 {
                group.addTask {
                    for turn in 0... {
                        let status = try await server.signIn(
                            "invented.\(number).\(turn)", password: "wrong", device: "any",
                            from: "127.0.0.2")
                        guard status == 401 else { break }
                    }
                    refused.yield()
                }
            }
            var refusal = refusals.makeAsyncIterator()
            _ = await refusal.next()
            let others = try await server.signIns(20, as: "b", from: "127.0.0.1")
            #expect(others == Array(repeating: 201, count: 20))
            for login in ["a", "b"] {
                #expect(try await server.signIn(login, device: "phone", from: "127.0.0.2") == 201)
            }
            await server.crash()
        }
    }
}

extension RunningServer {
    /// The status of an attempt to sign in; 0 if there is no answer.
    fileprivate func signIn(
        _ login: String, password: String? = nil, device: String, from address: String
    ) async throws -> Int {
        let body = try JSONEncoder().encode(
            SessionRequest(
                login: login, password: password ?? PreparedDatabase.password(of: login),
                deviceCategory: "mobile", deviceIdentifier: device))
        guard let connection = try? RawConnection(port: port, from: address) else { return 0 }
        connection.send(
            """
            POST /v1/test/session HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Type: application/json\r
            Connection: close\r
            Content-Length: \(body.count)\r
            \r

            """)
        connection.send(body)
        let head = await connection.receive(until: "\r\n\r\n")
        return head.firstMatch(of: /HTTP\/1.1 (\d+)/).flatMap { Int($0.1) } ?? 0
    }

    /// The statuses of sign-ins at the same moment, each on a new device.
    fileprivate func signIns(
        _ count: Int, as login: String, from address: String
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await self.signIn(login, device: "new-\(number)", from: address)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
