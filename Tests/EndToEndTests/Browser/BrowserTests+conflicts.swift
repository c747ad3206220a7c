import JSON
import SyncProtocol
import Testing

extension BrowserTests {
    /// `b`'s change is set aside; the record moves while the operator chooses.
    @Test(arguments: Person.Hand.allCases)
    func staleResolutionKeepsChoices(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Mirror", "score": 1]])[0]
            try await server.disagree(on: guid, a: 4, b: 5)
            try await visit.open("conflicts")
            try await person.sees("base: 1", in: "score")
            try await person.sees("theirs by a: 4", in: "score")
            try await person.press("mine by b: 5", in: "score")
            try await server.client("a").push(
                .update(guid, of: "ConflictsEntity", from: 3, ["title": "The Mirror"]))
            try await person.press("Resolve")
            try await person.sees("Your choices are still here")
            try await person.sees("score becomes 5; closes 1 conflict.")
            try await person.press("Resolve")
            try await person.sees("No conflicts")
            let record = try await server.client("a").record(guid)
            #expect(record.fields == ["title": "The Mirror", "score": 5])
        }
    }

    @Test(arguments: ["theirs", "mine"])
    func ruleResolvesMany(side: String) async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            let guids = try await server.create(
                "ConflictsEntity", (1...4).map { ["title": .string("film \($0)"), "score": 1] })
            for guid in guids { try await server.disagree(on: guid, a: 4, b: 5) }
            try await visit.open("conflicts")
            try await person.choose(
                side == "mine" ? "what was set aside" : "the record as it is",
                of: "Which side wins")
            try await person.press("Resolve 4")
            try await person.press("Resolve 4", in: "Resolve 4 records?")
            try await person.sees("No conflicts")
            let scores = try await server.client("a").records().map { $0.fields?["score"] }
            #expect(scores == Array(repeating: .integer(side == "mine" ? 5 : 4), count: 4))
        }
    }

    /// J and K go through the inbox, and numbers choose a side.
    @Test func keysChoose() async throws {
        try await ConsoleVisit.run(hand: .keyboard) { visit in
            let guids = try await visit.server.create(
                "ConflictsEntity", (1...3).map { ["title": .string("film \($0)"), "score": 1] })
            for guid in guids { try await visit.server.disagree(on: guid, a: 4, b: 5) }
            try await visit.open("conflicts")
            try await visit.person.sees("closes 1 conflict")
            let first = try await heading(visit)
            try await visit.browser.type("j")
            #expect(try await heading(visit) != first)
            try await visit.browser.type("2")
            try await visit.person.sees("score becomes 5")
            try await visit.browser.type("1")
            try await visit.person.sees("score becomes 1")
            try await visit.browser.type("k")
            #expect(try await heading(visit) == first)
        }
    }

    private func heading(_ visit: ConsoleVisit) async throws -> String? {
        try await visit.browser.script(
            "return document.querySelector('.panel h2').textContent"
        ).string
    }

    /// A deletion against a change, in words; the operator restores the record.
    @Test func deletionIsDisputedInWords() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Ivan", "score": 1]])[0]
            try await server.client("a").push(.delete(guid, of: "ConflictsEntity", from: 1))
            try await server.client("b").push(
                .update(guid, of: "ConflictsEntity", from: 1, ["score": 3]))
            try await visit.open("conflicts")
            try await person.sees("The record was deleted by a.")
            try await person.sees("The record is deleted; closes 1 conflict.")
            try await person.press("The record stays")
            try await person.press("mine by b: 3", in: "score")
            try await person.press("Resolve")
            try await person.sees("No conflicts")
            let record = try await server.client("a").record(guid)
            #expect(!record.deleted && record.fields?["score"] == 3)
        }
    }
}
