import Foundation
import JSON
import SyncProtocol
import Testing

/// The limits of what one user can make grow, with their defaults.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UserLimitTests {
    private let model = "ConflictsEntity"

    @Test func deviceThatNeverAcknowledgesIsRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let a = try server.client("a")
        var ids: [String] = []
        var statuses: [Int] = []
        repeat {
            let changes = (0..<1000).map { number in
                ChangeMessage(
                    id: "c\(ids.count + number)", action: .delete, model: model, guid: fresh(),
                    base: 1)
            }
            let answer = try await a.ask(SyncRequest(changes: changes))
            statuses.append(answer.status)
            guard answer.status == 200 else {
                #expect(try answer.error().code == "tooManyUnacknowledged")
                break
            }
            ids += changes.map(\.id)
        } while ids.count < 20_000
        // They are counted once for a tenth of the limit, so it may be exceeded by as much.
        #expect((5...6).contains(statuses.filter { $0 == 200 }.count), "\(statuses)")
        #expect(statuses.last == 409)
        for part in stride(from: 0, to: ids.count, by: 1000) {
            _ = try await a.sync(acknowledged: Array(ids[part..<min(part + 1000, ids.count)]))
        }
        #expect(try await a.push(.create(fresh(), of: model, ["title": "x"])).outcome == .accepted)
    }

    @Test func furtherSessionEndsTheOldest() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let (oldest, second) = (try server.client("a"), try await server.signIn("a"))
        var left = 198
        while left > 0 {
            let count = min(left, 20)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { _ = try await server.signIn("a") } }
                try await group.waitForAll()
            }
            left -= count
        }
        #expect(try await oldest.ask(SyncRequest()).status == 200)
        let last = try await server.signIn("a")
        let refused = try await oldest.ask(SyncRequest())
        #expect(refused.status == 401)
        #expect(try refused.error().code == "tokenUnknown")
        for token in [second.token, last.token] {
            let client = Client(server: server, token: token)
            #expect(try await client.ask(SyncRequest()).status == 200)
        }
        #expect(try await server.client("b").ask(SyncRequest()).status == 200)
    }

    @Test func userHasSoManyPushTokens() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        func put(_ number: Int, as login: String) async throws -> Answer {
            try await server.request(
                "PUT", "/v1/test/pushTokens/type\(number)", body: Data(#"{"token": "t"}"#.utf8),
                headers: ["Authorization": "Bearer \(try server.client(login).token)"])
        }
        for number in 0..<100 { #expect(try await put(number, as: "a").status == 200) }
        let refused = try await put(100, as: "a")
        #expect(refused.status == 409)
        #expect(try refused.error().code == "tooManyPushTokens")
        #expect(try await put(7, as: "a").status == 200, "a known one may be replaced")
        #expect(try await put(0, as: "b").status == 200)
    }

    @Test func userHasSoManyLooseFiles() async throws {
        let server = try await RunningServer(definition: "FieldService", processes: 1)
        let tina = try server.client("tina")
        for _ in 0..<1000 {
            let answer = try await tina.put(fresh(), Data("x".utf8))
            try #require(answer.status == 201, "\(answer.text)")
        }
        let refused = try await tina.put(fresh(), Data("x".utf8))
        #expect(refused.status == 429)
        #expect(try refused.error().code == "tooManyLooseFiles")
        #expect(try await server.client("tom").put(fresh(), Data("x".utf8)).status == 201)
    }

    @Test func originalClientHasTwoTickets() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let phone = try OriginalClient("a", of: server)
        let tickets = [
            try await phone.send([]), try await phone.send([]), try await phone.send([]),
        ]
        #expect(try await phone.ask("GET", "data?ticket=\(tickets[0])").status == 500)
        for ticket in tickets.dropFirst() {
            #expect(try await phone.ask("GET", "data?ticket=\(ticket)").status == 200)
        }
    }

    @Test func recordHasSoManyOpenConflicts() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", processes: 1, arguments: "--max-open-conflicts", "2")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "x"]))
        try await a.push(.update(guid, of: model, from: 1, ["title": "y"]))
        var outcomes: [OutcomeMessage] = []
        for number in 0..<3 {
            outcomes.append(
                try await b.push(.update(guid, of: model, from: 1, ["title": .string("\(number)")]))
            )
        }
        #expect(outcomes.map(\.outcome) == [.conflicted, .conflicted, .refused])
        #expect(outcomes.last?.causes?.map(\.code) == ["tooManyConflicts"])
    }

    /// Users see their own films only. `a` has one; `b` guesses its unique title.
    @Test func guessesOfHiddenValuesAreLimited() async throws {
        let server = try await RunningServer(
            definition: "Conflicts",
            changing: { text in
                try text
                    .changing(
                        "<application ", to: #"<application xmlns:w="urn:waggle:definition" "#
                    )
                    .changing(#"name="title" "#, to: #"name="title" w:unique="true" "#)
                    .replacing(#"readAllowed="ALL""#, with: #"readAllowed="OWN""#)
                    .replacing(#"updateAllowed="ALL""#, with: #"updateAllowed="OWN""#)
                    .replacing(#"deleteAllowed="ALL""#, with: #"deleteAllowed="OWN""#)
            }, processes: 1)
        let (a, b) = (try server.client("a"), try server.client("b"))
        try await a.push(.create(fresh(), of: model, ["title": "Alien"]))
        let own = fresh()
        try await b.push(.create(own, of: model, ["title": "Brazil"]))
        let guesses = (0..<250).map { _ in
            ChangeMessage.create(fresh(), of: model, ["title": "Alien"])
        }
        let outcomes = try await b.sync(guesses).outcomes
        #expect(outcomes.allSatisfy { $0.causes?.map(\.code) == ["notUnique"] })
        for title in ["Alien", "Cube"] {
            let refused = try await b.ask(
                SyncRequest(changes: [.create(fresh(), of: model, ["title": .string(title)])]))
            #expect(refused.status == 429 && refused.header("Retry-After") != nil)
            #expect(try refused.error().code == "tooManyHiddenClashes")
        }
        #expect(try await b.push(.delete(own, of: model, from: 1)).outcome == .accepted)
        #expect(
            try await a.push(.create(fresh(), of: model, ["title": "Cube"])).outcome == .accepted)
    }
}
