import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// The server process is killed at random moments while clients push concurrently and repeat
/// unanswered requests.
@Suite(.serialized, .timeLimit(.minutes(60))) struct CrashTests {
    /// The number of kills; `WAGGLE_KILLS` raises it for longer runs.
    private static let kills =
        ProcessInfo.processInfo.environment["WAGGLE_KILLS"].flatMap { Int($0) } ?? 5
    private static let clients = 6
    private static let shared = "ffffffff-0000-4000-8000-000000000000"

    @Test(arguments: [UInt64(20)])
    func confirmedChangesAreStoredOnceWhenServerIsKilled(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        // In this mode, a stale change of the shared record is applied too.
        let site = try await Site(prepared: "Conflicts") {
            try $0.changing(#"conflictMode="MANUAL""#, to: #"conflictMode="OVERWRITE""#)
        }
        var server = try await RunningServer(site: site)
        var clients = try await PersistentClient.signedIn(
            Self.clients, to: server, sharing: Self.shared, seed: seed)
        for _ in 0..<Self.kills {
            let kill = Kill(using: &random)
            clients = try await load(server, by: clients, until: kill)
            if kill.interruptsStart {
                try await site.killWhileStarting(afterMicroseconds: kill.microseconds)
            }
            server = try await RunningServer(site: site)
            try await expectSound(site, clients)
            for client in clients { try await client.expectTheSameAgain(from: server) }
        }
        for index in clients.indices where !clients[index].pending.isEmpty {
            #expect(try await clients[index].push(to: server))
        }
        try await expectSound(site, clients)
        try await expectAllOfIt(clients, as: server.client("b"))
        #expect(clients.reduce(0) { $0 + $1.answeredChanges } > Self.kills * Self.clients)
    }

    /// All clients push until the server no longer answers.
    private func load(
        _ server: RunningServer, by clients: [PersistentClient], until kill: Kill
    ) async throws -> [PersistentClient] {
        let trigger = Trigger(kill, of: server)
        let after = try await withThrowingTaskGroup(of: (Int, PersistentClient).self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    var client = client
                    while try await client.push(to: server) { await trigger.noteAnswer() }
                    return (number, client)
                }
            }
            return try await group.reduce(into: clients) { $0[$1.0] = $1.1 }
        }
        let exitCode = await server.exitCode()
        #expect(exitCode == SIGKILL || kill.stopsFirst && exitCode == 0)
        return after
    }

    /// The database is intact, every revision was made by one change, and each client's records are
    /// as expected. A change without an answer was applied completely or not at all.
    private func expectSound(_ site: Site, _ clients: [PersistentClient]) async throws {
        #expect(try await site.isIntact())
        let twice = try await site.sql(
            "SELECT change_id FROM history GROUP BY login, change_id HAVING count(*) > 1")
        #expect(twice == "", "done twice")
        let wrong = try await site.sql(
            """
            SELECT guid, revision FROM records
            WHERE revision <> (SELECT count(*) FROM history WHERE history.guid = records.guid)
            """)
        #expect(wrong == "", "a revision without its change, or a change without its revision")
        var stored = try await site.storedRecords()
        var sharedUpdates = 0
        for client in clients {
            let done = try await site.count(ofDone: client.pending.map(\.id))
            #expect(done == 0 || done == client.pending.count, "half of \(client.pending)")
            for (guid, expected) in client.expected(withPending: done > 0) {
                #expect(stored.removeValue(forKey: guid) == expected, "\(guid)")
            }
            sharedUpdates += client.sharedUpdates
            if done > 0 { sharedUpdates += client.pending.count { $0.guid == Self.shared } }
        }
        #expect(stored.removeValue(forKey: Self.shared)?.revision == Int64(1 + sharedUpdates))
        #expect(stored.isEmpty, "nobody made these")
    }

    /// The same over the wire, for a client that starts from the beginning.
    private func expectAllOfIt(_ clients: [PersistentClient], as reader: Client) async throws {
        var expected: [String: PersistentClient.Expected] = [:]
        for client in clients { expected.merge(client.settled) { first, _ in first } }
        var records = try await reader.records()
        records.removeAll { $0.guid == Self.shared }
        #expect(records.count == expected.values.count { !$0.isDeleted })
        for record in records {
            #expect(record.revision == expected[record.guid]?.revision)
            #expect(record.fields?["title"] == expected[record.guid].map { .string($0.title) })
        }
    }
}

/// The moment at which to kill the process.
private struct Kill: Sendable {
    let answers: Int
    let microseconds: Int
    /// The process is asked to stop first, and may be killed while it stops.
    let stopsFirst: Bool
    /// The next process is killed during its start.
    let interruptsStart: Bool

    init(using random: inout SplitMix64) {
        answers = random.number(in: 1...60)
        stopsFirst = random.number(in: 0..<5) == 0
        interruptsStart = random.number(in: 0..<5) == 0
        microseconds = random.number(in: 0...(stopsFirst || interruptsStart ? 200_000 : 8_000))
    }
}

private actor Trigger {
    private let kill: Kill
    private let server: RunningServer
    private var answers = 0

    init(_ kill: Kill, of server: RunningServer) {
        self.kill = kill
        self.server = server
    }

    func noteAnswer() {
        answers += 1
        guard answers == kill.answers else { return }
        if kill.stopsFirst { server.send(SIGTERM) }
        let server = server
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .microseconds(kill.microseconds)
        ) { server.send(SIGKILL) }
    }
}

extension Site {
    fileprivate func killWhileStarting(afterMicroseconds microseconds: Int) async throws {
        let process = try Program(
            path: Tool.path,
            arguments: ["serve", definition, "--database", database, "--port", "0"], folder: folder
        ).process(writingTo: "start.out", and: "start.log")
        try process.run()
        let pid = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            Foundation.kill(pid, SIGKILL)
        }
        await offloaded { process.waitUntilExit() }
        #expect(process.terminationStatus == SIGKILL)
    }

    fileprivate func storedRecords() async throws -> [String: PersistentClient.Expected] {
        let rows = try await sql(
            """
            SELECT guid, revision, CASE WHEN is_deleted THEN 1 ELSE 0 END, \(text(of: "title"))
            FROM records
            """)
        var records: [String: PersistentClient.Expected] = [:]
        for row in rows.split(separator: "\n") {
            let values = row.split(separator: "|")
            try #require(values.count == 4)
            records[String(values[0])] = PersistentClient.Expected(
                revision: try #require(Int64(values[1])), title: String(values[3]),
                isDeleted: values[2] == "1")
        }
        return records
    }

    fileprivate func count(ofDone ids: [String]) async throws -> Int {
        guard !ids.isEmpty else { return 0 }
        let list = ids.map { "'\($0)'" }.joined(separator: ", ")
        let count = try await sql("SELECT count(*) FROM history WHERE change_id IN (\(list))")
        return try #require(Int(count))
    }
}
