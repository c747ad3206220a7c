import JSON
import SyncProtocol
import Testing

@Suite("The history of a record has a limit in bytes", .timeLimit(.minutes(5)))
struct HistoryLimitTests {
    private let model = "ConflictsEntity"

    /// Entries of 10 MB, which only the database makes in a short time.
    private func fill(_ site: Site) async throws {
        let fields =
            site.isOfFile
            ? "json_object('title', replace(hex(zeroblob(5000000)), '0', 'x'))"
            : "json_build_object('title', repeat('x', 10000000))::text"
        try await site.sql("UPDATE history SET fields = \(fields)")
    }

    @Test func fullHistoryTakesOnlyDeletion() async throws {
        let site = try await Site(prepared: "Conflicts") { try $0.allowingLongTitles() }
        var server = try await RunningServer(site: site)
        let guid = fresh()
        try await server.client("a").push(.create(guid, of: model, ["title": "0"]))
        for revision in 1..<26 {
            try await server.client("a").push(
                .update(guid, of: model, from: Int64(revision), ["title": .string("\(revision)")]))
        }
        #expect(await server.stop() == 0)
        try await fill(site)

        server = try await RunningServer(site: site)
        let a = try server.client("a")
        let text = String(repeating: "x", count: 1_000_000)
        var revision: Int64 = 26
        var refused: OutcomeMessage?
        // Each process measures it after 16 MiB.
        while refused == nil, revision < 80 {
            let outcome = try await a.push(
                .update(
                    guid, of: model, from: revision,
                    ["title": .string("\(revision)" + text.dropFirst(2))]))
            if outcome.outcome == .accepted { revision += 1 } else { refused = outcome }
        }
        #expect(refused?.causes?.map(\.code) == ["tooMuchHistory"])
        #expect(revision > 26 + 8, "what is left was used")
        let other = try await a.push(.create(fresh(), of: model, ["title": "other"]))
        #expect(other.outcome == .accepted)
        let deletion = try await a.push(.delete(guid, of: model, from: revision))
        #expect(deletion.outcome == .accepted)
    }
}
