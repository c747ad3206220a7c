import Foundation
import JSON
import SyncProtocol
import Testing

/// The limits of what one user can make grow that are too high to be reached by requests: the
/// database is filled up to them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StoredLimitTests {
    private let model = "ConflictsEntity"

    @Test func userHasSoManyStoredNotifications() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        try await server.site.fill(
            19_999,
            """
            notifications (environment, number, name, sender, at, body)
                SELECT id, n, 'old-' || n, 'a', 1, '{}'
            """)
        try await server.site.sql("UPDATE environments SET last_notification = 19999")
        func send(as login: String) async throws -> Answer {
            try await server.client(login).call(
                "POST", "notifications", #"{"notification": {}}"#)
        }
        #expect(try await send(as: "a").status == 201)
        let refused = try await send(as: "a")
        #expect(refused.status == 409)
        #expect(try refused.error().code == "tooManyKeptNotifications")
        #expect(try await send(as: "b").status == 201)
    }

    @Test func userHasSoManyOwnConflicts() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "Solaris"]))
        for (base, title) in [(Int64(1), "Stalker"), (2, "Mirror")] {
            try await a.push(.update(guid, of: model, from: base, ["title": .string(title)]))
        }
        try await server.site.fill(
            9999,
            """
            conflicts (environment, guid, revision, is_open, sides, login, device_identifier)
                SELECT id, 'old-' || n, 1, true, '{}', 'b', 'phone'
            """)
        func stale(_ client: Client) async throws -> OutcomeMessage {
            try await client.push(.update(guid, of: model, from: 1, ["title": "Nostalghia"]))
        }
        #expect(try await stale(b).outcome == .conflicted)
        let refused = try await stale(b)
        #expect(refused.outcome == .refused)
        #expect(refused.causes?.map(\.code) == ["tooManyOwnConflicts"])
    }

    /// A record that an earlier version stored may become smaller, and takes small changes.
    @Test func recordHasSoManyBytes() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", changing: { try $0.addingNote() }, processes: 1)
        let a = try server.client("a")
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "Solaris"]))
        let fields =
            server.site.isOfFile
            ? "json_object('title', replace(hex(zeroblob(4200000)), '0', 'x'))"
            : "json_build_object('title', repeat('x', 8400000))::text"
        try await server.site.sql("UPDATE records SET fields = \(fields)")
        let note = JSONValue.string(String(repeating: "x", count: 5000))
        let refused = try await a.push(.update(guid, of: model, from: 1, ["note": note]))
        #expect(refused.causes?.map(\.code) == ["recordTooLarge"])
        #expect(refused.causes?.map(\.field) == ["note"])
        #expect(refused.causes?.map(\.argument) == ["8388608"])
        let small = try await a.push(.update(guid, of: model, from: 1, ["score": 2]))
        #expect(small.outcome == .accepted)
        let shorter = try await a.push(.update(guid, of: model, from: 2, ["title": "Mirror"]))
        #expect(shorter.outcome == .accepted)
        let other = try await a.push(.update(guid, of: model, from: 3, ["note": note]))
        #expect(other.outcome == .accepted)
    }

    @Test func recordHasSoManyRevisions() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let a = try server.client("a")
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "Solaris"]))
        try await server.site.sql("UPDATE records SET revision = 999999")
        func update(from base: Int64) async throws -> OutcomeMessage {
            try await a.push(
                .update(guid, of: model, from: base, ["title": .string("after \(base)")]))
        }
        #expect(try await update(from: 999_999).revision == 1_000_000)
        let refused = try await update(from: 1_000_000)
        #expect(refused.outcome == .refused)
        #expect(refused.causes?.map(\.code) == ["tooManyRevisions"])
        let deleted = try await a.push(.delete(guid, of: model, from: 1_000_000)).outcome
        #expect(deleted == .accepted)
    }

    @Test func userHasSoManyKnownDevices() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let site = server.site
        let count = "SELECT count(*) FROM devices WHERE login = 'a'"
        let missing = 1000 - (try #require(Int(try await site.sql(count))))
        try await site.fill(
            missing,
            """
            devices (environment, login, device_identifier, signed_in_at)
                SELECT id, 'a', 'old-' || n, n
            """)
        #expect(try await site.sql(count) == "1000")
        _ = try await server.signIn("a", device: "new")
        #expect(try await site.sql(count) == "1000")
        let ends = "SELECT device_identifier FROM devices WHERE device_identifier IN ("
        #expect(try await site.sql(ends + "'old-1', 'old-2') ORDER BY 1") == "old-2")
        #expect(try await site.sql(ends + "'new')") == "new")
    }
}

extension String {
    /// The definition *Conflicts* with another text.
    fileprivate func addingNote() throws -> String {
        try changing(
            "      </fields>",
            to: """
                        <field name="note" type="TEXT">
                          <credentials>
                            <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                                        updateAllowed="ALL"/>
                          </credentials>
                          <options><option name="maxLength">10000</option></options>
                        </field>
                      </fields>
                """)
    }
}

extension Site {
    /// Inserts rows for each number from 1. `insertion` is the part between INSERT INTO and FROM.
    fileprivate func fill(_ count: Int, _ insertion: String) async throws {
        try await sql(
            """
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO \(insertion) FROM numbers, environments
            """)
    }
}
