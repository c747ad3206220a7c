import JSON
import Testing

/// The queues of the clients of Azure Mobile: each answer is lost once, the server moves on, and
/// the user settles conflicts.
@Suite(.timeLimit(.minutes(10))) struct AzureQueueTests {
    private static let path = "/tables/TodoItem"

    @Test(arguments: AzurePull.Kind.allCases, AzureQueue.Handler.allCases)
    func queueEndsWithRowsOfFreshClient(
        kind: AzurePull.Kind, handler: AzureQueue.Handler
    ) async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let other = AzureClient(server)
        var queue = AzureQueue(kind, server, path: Self.path)
        for number in 0..<6 { queue.insert("item-\(number)", ["text": "new"]) }
        queue.insert("bad", ["text": .string(String(repeating: "x", count: 5000))])
        queue.insert("item-6", ["text": "new"])
        let isSent = try await queue.push(handler) {
            try await move($0, of: [0, 3, 6], by: other)
        }
        #expect(isSent && queue.refused == ["bad"] && queue.conflicts == 0)
        try await expectRows(of: &queue, on: server)

        try await change(&queue, beside: other)
        if handler == .cancel {
            // All stays, and the next push asks again.
            for count in 1...2 {
                let isDone = try await queue.push(.cancel)
                #expect(!isDone && queue.conflicts == count)
            }
        }
        let picked = handler == .cancel ? .server : handler
        let isDone = try await queue.push(picked) {
            try await move($0, of: [1, 3, 5], by: other)
        }
        // The first generation tells the row that stands also of a deleted one.
        let isTold = kind == .services
        #expect(isDone && queue.isEmpty)
        #expect(queue.refused == ["bad"] + (isTold && picked == .server ? [] : ["item-4"]))
        #expect(queue.conflicts == (handler == .cancel ? 4 : 2) + (isTold ? 1 : 0))
        try await expectRows(of: &queue, on: server)
        expectPick(picked, in: queue.pull.rows)
    }

    /// Changes of the client, and what somebody else does meanwhile.
    private func change(_ queue: inout AzureQueue, beside other: AzureClient) async throws {
        queue.update("item-0", ["text": "mine", "complete": .boolean(true)])
        queue.update("item-1", ["text": "mine"])
        queue.delete("item-2")
        queue.delete("item-3")
        queue.update("item-4", ["text": "mine"])
        queue.update("item-5", ["complete": .boolean(true)])
        for id in ["item-0", "item-2"] {
            _ = try await other.row("PATCH", "\(Self.path)/\(id)", ["text": "theirs"])
        }
        #expect(try await other.ask("DELETE", "\(Self.path)/item-4").status == 204)
    }

    /// Somebody else changes the row whose answer was lost, if it is one of those.
    private func move(_ id: String, of numbers: [Int], by other: AzureClient) async throws {
        guard numbers.contains(where: { id == "item-\($0)" }) else { return }
        _ = try await other.ask("PATCH", "\(Self.path)/\(id)", ["text": "moved"])
    }

    private func expectPick(
        _ picked: AzureQueue.Handler, in rows: [String: [String: JSONValue]]
    ) {
        #expect(rows["item-0"]?["text"] == (picked == .client ? "mine" : "theirs"))
        #expect(rows["item-1"]?["text"] == "moved" && rows["item-5"]?["text"] == "moved")
        #expect(rows["item-5"]?["complete"] == .boolean(true))
        #expect((rows["item-2"] == nil) == (picked == .client))
        #expect(rows["item-3"] == nil && rows["item-4"] == nil)
    }

    private func expectRows(
        of queue: inout AzureQueue, on server: RunningServer
    ) async throws {
        try await queue.pull.pull()
        var fresh = AzurePull(queue.pull.kind, server, path: Self.path)
        try await fresh.pull()
        #expect(!fresh.rows.isEmpty && queue.pull.rows == fresh.rows)
    }
}
