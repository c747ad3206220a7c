import Foundation
import JSON
import SyncProtocol
import Testing

/// The loops of the clients of Azure Mobile, with writers beside.
@Suite(.timeLimit(.minutes(30))) struct AzurePullTests {
    private static let path = "/tables/TodoItem"
    /// `make test-pulls` takes 10,000, and minutes.
    private static let rows =
        ProcessInfo.processInfo.environment["WAGGLE_PULL_ROWS"].flatMap { Int($0) } ?? 1000

    /// Users see what they own, so that a row that is given away goes out of sight.
    @Test(arguments: AzurePull.Kind.allCases)
    func pullBesideWritersMissesNothing(kind: AzurePull.Kind) async throws {
        let site = try await Site(prepared: "TodoItem") { $0.readable(by: "OWN") }
        try await site.sql("UPDATE users SET is_admin = true WHERE login = 'b'")
        let server = try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
        var writer = try PullWriter(server)
        for _ in 0..<Self.rows / 1000 { try await writer.create(1000) }
        var (pull, pages) = (AzurePull(kind, server, path: Self.path), 0)
        try await pull.pull {
            pages += 1
            if pages.isMultiple(of: 4) { try await writer.changeSome() }
            // After two thirds of the rows.
            if pages == Self.rows / 75 { try await writer.deployAnotherVersion() }
        }
        try await pull.pull()
        try await expectAll(of: pull, on: server)
        let started = writer
        async let changed = started.changingSome(times: 3)
        try await pull.pull()
        writer = try await changed
        try await pull.pull()
        try await expectAll(of: pull, on: server)
        // Nobody changes a row, but the rows of others come into sight and go out of it again.
        for rights in ["ALL", "OWN"] {
            try await writer.deploy { $0.readable(by: rights) }
            try await pull.pull()
            try await expectAll(of: pull, on: server)
        }
    }

    /// Only the last of several versions tells a row again, whose look each of them changed.
    @Test(arguments: [AzurePull.Kind.dotNet, .toolkit])
    func freshClientIsToldRowsOnce(kind: AzurePull.Kind) async throws {
        let site = try await Site(prepared: "TodoItem")
        try await site.sql("UPDATE users SET is_admin = true WHERE login = 'b'")
        let server = try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
        var writer = try PullWriter(server)
        try await writer.create(300)
        for count in 1...4 { try await writer.deploy(columns: count) }
        var pull = AzurePull(kind, server, path: Self.path)
        try await pull.pull()
        #expect(pull.rows.count == 300)
        // Those of the first page come again: until then the client knows no time.
        #expect(pull.received <= 420, "\(pull.received)")
        let received = pull.received
        try await pull.pull()
        #expect(pull.received <= received + 1)
    }

    /// A fresh client that asks for lists gets the same rows.
    private func expectAll(of pull: AzurePull, on server: RunningServer) async throws {
        let client = AzureClient(server)
        var rows: [[String: JSONValue]] = []
        while true {
            let page = try await client.rows(
                Self.path, [("$top", "1000"), ("$skip", "\(rows.count)")])
            rows += page
            if page.count < 1000 { break }
        }
        #expect(rows.count > Self.rows / 2)
        let fresh = Dictionary(uniqueKeysWithValues: rows.map { ($0["id"]?.string ?? "", $0) })
        let missing = Set(fresh.keys).subtracting(pull.rows.keys)
        let surplus = Set(pull.rows.keys).subtracting(fresh.keys)
        #expect(missing.isEmpty && surplus.isEmpty, "\(missing.count), \(surplus.count)")
        var again = AzurePull(pull.kind, server, path: Self.path)
        try await again.pull()
        // Rows that look different since rights changed come with another time.
        let time = pull.name("updatedAt")
        let (held, told) = (pull.rows.without(time), again.rows.without(time))
        #expect(held == told, "\(told.filter { held[$0.key] != $0.value }.count) rows differ")
    }
}

/// Somebody who changes rows by the native wire.
private struct PullWriter {
    private let server: RunningServer
    private let a: Client
    /// An admin.
    private let b: Client
    private var guids: [String] = []
    private var changed = 0

    init(_ server: RunningServer) throws {
        self.server = server
        (a, b) = (try server.client("a"), try server.client("b"))
    }

    mutating func create(_ count: Int) async throws {
        let made = (0..<count).map { _ in fresh() }
        try await push(made.map { .create($0, of: "todo", ["text": "new"]) }, by: a)
        guids += made
    }

    /// Changes rows that a pull has passed and such that it has not, deletes, creates, and gives
    /// rows away and back.
    mutating func changeSome() async throws {
        let (early, late) = (changed, guids.count - 1 - changed)
        let tenth = guids.count / 10
        try await push(
            [early, late].map { .update(guids[$0], of: "todo", from: 1, ["text": "moved"]) }, by: a)
        try await push(
            [
                .delete(guids[tenth + changed], of: "todo", from: 1),
                .delete(guids[guids.count - tenth - changed], of: "todo", from: 1),
                .create(fresh(), of: "todo", [:]),
            ], by: a)
        try await give(guids[2 * tenth + changed], to: "b")
        try await give(guids[guids.count - 2 * tenth - changed], to: "b")
        let lent = guids[3 * tenth + changed]
        try await give(lent, to: "b")
        try await give(lent, to: "a")
        let gift = fresh()
        try await push([.create(gift, of: "todo", ["text": "of b"])], by: b)
        try await give(gift, to: "a")
        changed += 1
    }

    /// The same while others read, several times.
    func changingSome(times: Int) async throws -> PullWriter {
        var writer = self
        for _ in 0..<times { try await writer.changeSome() }
        return writer
    }

    /// With another column.
    func deployAnotherVersion() async throws {
        try await deploy {
            $0.replacing(
                "      </fields>",
                with: """
                        <field name="note" type="TEXT">
                          <credentials>
                            <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                              updateAllowed="ALL"/>
                          </credentials>
                        </field>
                      </fields>
                    """)
        }
    }

    /// With a number of other columns.
    func deploy(columns count: Int) async throws {
        let columns = (1...count).map { number in
            """
            <field name="note\(number)" type="TEXT"><credentials><credential role="users-mobile"
              createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"/></credentials></field>
            """
        }
        try await deploy {
            $0.replacing("      </fields>", with: columns.joined() + "</fields>")
        }
    }

    /// Deploys the definition with a change.
    func deploy(changing change: (String) -> String) async throws {
        let text = try String(contentsOfFile: server.site.definition, encoding: .utf8)
        let file = try server.site.folder.write(change(text), to: "changed.xml")
        let deployed = try await server.site.deployAcceptingAll(file)
        guard deployed.exitCode == 0 else { throw Unexpected(deployed.errors) }
    }

    private func give(_ guid: String, to login: String) async throws {
        let answer = try await b.ask(
            "PATCH", "/v1/test/records/todo/\(guid)/ownership",
            body: Data(#"{"owner": "\#(login)"}"#.utf8))
        guard answer.status == 200 else { throw Unexpected(answer.text) }
    }

    private func push(_ changes: [ChangeMessage], by client: Client) async throws {
        let outcomes = try await client.sync(changes, limit: 1).outcomes
        #expect(outcomes.allSatisfy { $0.outcome == .accepted })
        _ = try await client.sync(limit: 1, acknowledged: outcomes.map(\.id))
    }
}

extension String {
    /// A definition whose rows role `users-mobile` may read as far as a level allows.
    fileprivate func readable(by level: String) -> String {
        let rest = "updateAllowed=\"ALL\"\n                    deleteAllowed"
        return replacing("readAllowed=\"ALL\" \(rest)", with: "readAllowed=\"\(level)\" \(rest)")
            .replacing("readAllowed=\"OWN\" \(rest)", with: "readAllowed=\"\(level)\" \(rest)")
    }
}

extension [String: [String: JSONValue]] {
    /// The rows without a column.
    fileprivate func without(_ column: String) -> [String: [String: JSONValue]] {
        mapValues { row in row.filter { $0.key != column } }
    }
}
