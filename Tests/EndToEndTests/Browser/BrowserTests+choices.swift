import JSON
import SyncProtocol
import Testing

/// Conflicts in which both sides go on, and those that a phone resolves.
extension BrowserTests {
    /// Two people have changed different fields.
    @Test(arguments: Person.Hand.allCases)
    func bothSidesAreTaken(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Mirror", "score": 1]])[0]
            let changes: [(String, [String: JSONValue])] = [
                ("a", ["score": 4]), ("b", ["title": "The Mirror"]),
            ]
            for (login, fields) in changes {
                try await server.client(login).push(
                    .update(guid, of: "ConflictsEntity", from: 1, fields))
            }
            try await visit.open("conflicts")
            try await person.sees("The values stay; closes 1 conflict.")
            try await person.press("Take both")
            try await person.sees("title becomes The Mirror; closes 1 conflict.")
            try await person.press("Resolve")
            try await person.sees("No conflicts")
            let record = try await server.client("a").record(guid)
            #expect(record.fields == ["title": "The Mirror", "score": 4])
        }
    }

    /// A phone takes either side, also one that deletes the record.
    @Test(arguments: Person.Hand.allCases)
    func phoneTakesSide(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let titles = ["Mirror", "Solaris", "Ivan"]
            let guids = try await server.create(
                "ConflictsEntity", titles.map { ["title": .string($0), "score": 1] })
            for guid in guids.prefix(2) { try await server.disagree(on: guid, a: 4, b: 5) }
            try await server.client("a").push(
                .update(guids[2], of: "ConflictsEntity", from: 1, ["score": 4]))
            try await server.client("b").push(.delete(guids[2], of: "ConflictsEntity", from: 1))
            try await visit.open("phones")
            try await person.fill("Login", with: "a", in: "Phone 1")
            try await person.fill(
                "Password", with: PreparedDatabase.password(of: "a"), in: "Phone 1")
            try await person.press("Sign in", in: "Phone 1")
            for (title, side) in zip(
                titles,
                ["mine: score 5 by b", "theirs: score 4 by a", "mine: deleted by b"])
            {
                try await person.sees("▲ in conflict", in: title)
                try await person.press("Take \(side)", in: title)
                try await person.losesSight(of: "▲ in conflict", in: title)
                if title != "Ivan" { try await person.sees("in sync", in: title) }
            }
            try await person.losesSight(of: "Ivan", in: "Phone 1: a")
            // The phone sends the last choice after it has shown it.
            let b = try server.client("b")
            let records = try await asked(
                { try await b.records() }, until: { $0.allSatisfy { !$0.conflicted } })
            let scores = guids.map { guid in
                records.first { $0.guid == guid && !$0.deleted }?.fields?["score"]
            }
            #expect(scores == [5, 4, nil])
        }
    }
}
