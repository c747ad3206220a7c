import DefinitionModel
import Foundation
import Hummingbird
import MobeelizerWire
import NIOCore
import SyncEngine
import SyncServer
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A wire consists of routes in a host", .serialized, .timeLimit(.minutes(10)))
struct WireTests {
    private let database: ServedDatabase

    init() throws { database = try ServedDatabase() }

    @Test func wireServesEnvironmentsOfItsHost() async throws {
        for name in ["one", "two"] { try await database.deploy(to: name) }
        let lists = try await withServer(of: database, wires: [ToyWire()]) { address in
            var lists: [String] = []
            for name in ["one", "two"] {
                let token = try await ask("POST", "\(address)/toy/\(name)/session", "anna secret")
                #expect(token.status == 200)
                let stored = try await ask(
                    "PUT", "\(address)/toy/\(name)/notes/\(UUID().uuidString.lowercased())",
                    "note of \(name)", token: token.text)
                #expect(stored.text == "accepted")
                let list = try await ask("GET", "\(address)/toy/\(name)/notes", token: token.text)
                lists.append(list.text)
            }
            return lists
        }
        #expect(lists == [#""note of one""#, #""note of two""#])
    }

    /// Clients of other products name no environment.
    @Test func onlyEnvironmentIsThatOfDatabaseWithOne() async throws {
        for (name, only) in [(nil, nil), ("one", "one"), ("two", nil)] as [(String?, String?)] {
            if let name { try await database.deploy(to: name) }
            let environments = Environments(source: database)
            for _ in 0..<2 { #expect(try await environments.only()?.name == only) }
        }
    }

    /// The body is read once, and kept for the second attempt.
    @Test func requestThatMeetsAnotherDefinitionIsAnsweredUnderThat() async throws {
        let database = database
        try await database.deploy(to: "one", maxLength: 3)
        let answers = try await withServer(of: database, wires: [ToyWire()]) { address in
            let token = try await ask("POST", "\(address)/toy/one/session", "anna secret").text
            var answers: [String] = []
            for maxLength in [5, 3] {
                try await database.deploy(to: "one", maxLength: maxLength)
                let guid = UUID().uuidString.lowercased()
                let stored = try await ask(
                    "PUT", "\(address)/toy/one/notes/\(guid)", "12345", token: token)
                answers.append(stored.text)
            }
            return answers
        }
        #expect(answers == ["accepted", "refused"])
    }

    /// A call that is made once only, such as one whose body was streamed, fails.
    @Test func nextCallFindsDefinitionThatOneCallMet() async throws {
        try await database.deploy(to: "one", maxLength: 3)
        let environments = Environments(source: database)
        let former = try #require(try await environments.named("one"))
        try await database.deploy(to: "one", maxLength: 5)
        await #expect(throws: SyncError.self) {
            try await environments.serving(
                former, repeatingIf: { false },
                { _ -> Void in throw SyncError.definitionChanged })
        }
        #expect(try await environments.named("one")?.deployment != former.deployment)
    }

    @Test func errorsAreInShapeOfWire() async throws {
        try await database.deploy(to: "one")
        try await withServer(of: database, wires: [ToyWire()]) { address in
            for (method, path, status, words) in [
                ("GET", "/toy/one/notes", 401, "the token is unknown, ended or expired"),
                ("GET", "/toy/two/notes", 404, "this server has no environment 'two'"),
                ("PATCH", "/toy/one/notes", 405, "this path takes no PATCH"),
                ("GET", "/toy/one", 404, "nothing is served at '/toy/one'"),
            ] {
                let answer = try await ask(method, address + path)
                #expect(answer.status == status && answer.text == words)
            }
            let other = try await ask("GET", "\(address)/other")
            #expect(
                other.text.hasPrefix(#"{"code":"pathUnknown","details":{"path":"/other"},"#))
            let health = try await ask("GET", "\(address)/health")
            #expect(health.text == #"{"status":"ok"}"#)
        }
    }

    @Test func toyWireHasLessThanHundredLines() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "ToyWire.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.dropLast().count < 100)
    }

    /// Event loops with all timers, and the threads that verify passwords.
    @Test(.enabled(if: listsThreads))
    func noThreadOfServerOutlivesIt() async throws {
        try await database.deploy(to: "one")
        let client = try await originalClient(of: "one")
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let wires: [any Wire] = [ToyWire(), OriginalWire(folder: folder)]
        let before = Set(try serverThreads().keys)
        let during = try await withServer(of: database, wires: wires) { address in
            _ = try await ask("POST", "\(address)/toy/one/session", "anna secret")
            let original = "\(address)/sync/v2"
            let ticket = try await ask("POST", "\(original)/synchronizeAll", headers: client)
            let archive = try await ask(
                "GET", "\(original)/data?ticket=\(ticket.text)", headers: client)
            #expect(archive.status == 200 && archive.text.hasPrefix("PK"))
            return try serverThreads()
        }
        let own = during.filter { !before.contains($0.key) }
        #expect(own.values.contains { $0.hasPrefix("TP-#") })
        #expect(own.values.contains { $0.hasPrefix("NIO-ELT-") })
        // The system lists a thread a little longer, and pools of other tests end with those.
        while try serverThreads().contains(where: { own[$0.key] == $0.value }) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// A single event loop runs its requests; otherwise they run on threads that all share.
    @Test(.enabled(if: listsThreads), arguments: [1, 2])
    func singleThreadRunsWhatItReads(threads: Int) async throws {
        let answer = try await withServer(
            of: database, wires: [ThreadWire()], threads: threads
        ) { address in
            try await ask("GET", "\(address)/thread")
        }
        let names = answer.text.split(separator: " ")
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.hasPrefix("NIO-ELT-") == (threads == 1) }, "\(names)")
    }

    /// The headers of every request of an original client.
    private func originalClient(of environment: String) async throws -> [String: String] {
        let definition = try #require(try await database.load(environment)).definition
        return [
            "mas-vendor-name": definition.vendor, "mas-application-name": definition.application,
            "mas-application-instance-name": environment,
            "mas-definition-digest": definition.digest, "mas-device-name": "mobile",
            "mas-device-identifier": "1", "mas-user-name": "anna", "mas-user-password": "secret",
        ]
    }
}

/// Whether the system lists the threads of a process in files.
private let listsThreads = FileManager.default.fileExists(atPath: "/proc/self/task")

/// Answers with the names of the threads that run a request before and after it is suspended.
private struct ThreadWire: Wire {
    func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/thread") { failure, _ in
            WholeResponse(status: failure.status, headers: [:], body: [])
        }
        routes.on(.get, "") { _, _ in
            let before = try threadName()
            await Task.yield()
            let names = "\(before) \(try threadName())"
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: names)))
        }
        return routes
    }
}

private func threadName() throws -> String {
    try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The names of the threads such as a server starts, by their numbers.
private func serverThreads() throws -> [String: String] {
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    let names = tasks.compactMap { task in
        // The thread may have ended.
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
            .map { (task, $0) }
    }
    return Dictionary(uniqueKeysWithValues: names).filter { _, name in
        name.hasPrefix("TP-") || name.hasPrefix("NIO-")
    }
}

private struct Answer: Sendable {
    let status: Int
    let text: String
}

private func ask(
    _ method: String, _ address: String, _ body: String? = nil, token: String = "",
    headers: [String: String] = [:]
) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue(token, forHTTPHeaderField: "Authorization")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let (data, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    return Answer(status: status, text: String(decoding: data, as: UTF8.self))
}
