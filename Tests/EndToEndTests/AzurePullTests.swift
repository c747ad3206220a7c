import JSON
import SyncProtocol
import Testing

/// The loops of the clients of Azure Mobile, with writers beside.
@Suite(.timeLimit(.minutes(5))) struct AzurePullTests {
    private static let path = "/tables/TodoItem"

    @Test(arguments: AzurePull.Kind.allCases)
    func pullBesideWritersMissesNothing(kind: AzurePull.Kind) async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let native = try server.client("a")
        let guids = (0..<400).map { _ in fresh() }
        try await push(guids.map { .create($0, of: "todo", ["text": "new"]) }, by: native)
        var (pull, changed) = (AzurePull(kind, server, path: Self.path), 0)
        try await pull.pull {
            // Rows that were pulled, and rows that come later.
            guard changed < 8 else { return }
            let some = [changed, guids.count - 1 - changed]
            try await push(
                some.map { .update(guids[$0], of: "todo", from: 1, ["text": "moved"]) }, by: native)
            try await push(
                [
                    .delete(guids[100 + changed], of: "todo", from: 1),
                    .create(fresh(), of: "todo", [:]),
                ], by: native)
            changed += 1
        }
        try await pull.pull()
        try await expectAll(of: pull, on: server)
        try await push(
            [
                .update(guids[50], of: "todo", from: 1, ["text": "late"]),
                .delete(guids[60], of: "todo", from: 1), .create(fresh(), of: "todo", [:]),
            ], by: native)
        try await pull.pull()
        try await expectAll(of: pull, on: server)
    }

    /// A fresh client that asks for a list gets the same rows.
    private func expectAll(of pull: AzurePull, on server: RunningServer) async throws {
        let rows = try await AzureClient(server).rows(Self.path, [("$top", "1000")])
        #expect(rows.count == pull.rows.count)
        for row in rows {
            let id = try #require(row["id"]?.string)
            #expect(pull.rows[id]?["text"] == row["text"])
            #expect(pull.rows[id]?["version"] == row["version"])
        }
    }

    private func push(_ changes: [ChangeMessage], by client: Client) async throws {
        let outcomes = try await client.sync(changes).outcomes
        #expect(outcomes.allSatisfy { $0.outcome == .accepted })
    }
}
