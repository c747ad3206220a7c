import JSON
import Testing

/// The app of the tutorial of Azure Mobile Apps: an item is edited on two clients, and on the
/// conflict the user picks the client's, the server's or none.
@Suite(.timeLimit(.minutes(5))) struct AzureStoryTests {
    enum Pick: String, CaseIterable, Sendable { case client, server, cancel }

    @Test(arguments: Pick.allCases) func conflictIsPicked(pick: Pick) async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let (one, two) = (AzureClient(server), AzureClient(server))
        let table = "/tables/TodoItem"
        let created = try await one.row(
            "POST", table, ["id": "Item 1", "text": "Buy eggs", "complete": .boolean(false)],
            headers: ["X-ZUMO-FEATURES": "OL"])
        let item = "\(table)/Item%201"
        var seen = try await two.row("GET", item)
        #expect(seen == created)

        var edited = created
        edited["text"] = "Buy milk"
        #expect(try await one.update(item, edited).status == 200)

        seen["text"] = "Buy bread"
        let refused = try await two.update(item, seen)
        #expect(refused.status == 412)
        var standing = try refused.row()
        #expect(standing["text"] == "Buy milk" && standing["complete"] == .boolean(false))
        #expect(refused.header("ETag") == "\"\(standing["version"]?.string ?? "")\"")

        switch pick {
        case .client:
            seen["version"] = standing["version"]
            let answer = try await two.update(item, seen)
            #expect(answer.status == 200)
            standing = try answer.row()
            #expect(standing["text"] == "Buy bread")
        case .server, .cancel: break
        }
        #expect(try await one.row("GET", item) == standing)
        if pick == .cancel {
            // The next sync asks again.
            #expect(try await two.update(item, seen).status == 412)
        }
    }

    /// A client sends the whole row. The history tells which values it has seen, however many pages
    /// it has.
    @Test func valuesThatClientHasSeenAreNoEdits() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let (one, two) = (AzureClient(server), AzureClient(server))
        let item = "/tables/TodoItem/1"
        let created = try await one.row(
            "POST", "/tables/TodoItem", ["id": "1", "text": "Eggs", "complete": .boolean(false)],
            headers: ["X-ZUMO-FEATURES": "OL"])
        var row = created
        row["text"] = "Milk"
        // One entry more than a page has.
        for number in 0...1000 {
            row["complete"] = .boolean(number.isMultiple(of: 2))
            let answer = try await one.update(item, row)
            guard answer.status == 200 else { throw try server.refusal(answer) }
            row = try answer.row()
        }
        // As it was, without an edit of its own: nothing is in conflict.
        let answer = try await two.update(item, created)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.row()["text"] == "Milk")
    }
}
