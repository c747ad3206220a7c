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

    /// The value that was seen is what was chosen, also after the record has moved.
    @Test func chosenValueStaysWhenItsSideChanges() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Mirror", "score": 1]])[0]
            try await server.disagree(on: guid, a: 4, b: 5)
            try await visit.open("conflicts")
            try await person.press("mine by b: 5", in: "score")
            try await person.press("theirs by a: 4", in: "score")
            try await server.client("a").push(
                .update(guid, of: "ConflictsEntity", from: 3, ["score": 2]))
            try await person.press("Resolve")
            try await person.sees("Your choices are still here")
            try await person.sees("theirs by a: 2", in: "score")
            try await person.sees("score becomes 4; closes 1 conflict.")
            try await person.press("Resolve")
            try await person.sees("No conflicts")
            #expect(try await server.client("a").record(guid).fields?["score"] == 4)
        }
    }

    /// An earlier choice is not sent in place of what cannot be read.
    @Test func unreadableValueIsNotResolved() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Mirror", "score": 1]])[0]
            try await server.disagree(on: guid, a: 4, b: 5)
            try await visit.open("conflicts")
            try await person.press("mine by b: 5", in: "score")
            try await person.fill("Another value of score", with: "two", in: "score")
            try await person.sees("The value of score cannot be read.")
            try await person.press("Resolve")
            try await person.sees("■ The value of score cannot be read.")
            #expect(try await server.client("a").record(guid).fields?["score"] == 4)
            try await person.fill("Another value of score", with: "2", in: "score")
            try await person.press("Resolve")
            try await person.sees("No conflicts")
            #expect(try await server.client("a").record(guid).fields?["score"] == 2)
        }
    }

    /// More conflicts than a page has: each can be reached, in the list and by a link.
    @Test func manyConflictsAreReached() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser, server) = (visit.person, visit.browser, visit.server)
            let guids = try await server.create(
                "ConflictsEntity",
                (1...101).map { ["title": .string("film \($0)"), "score": 1] })
            for (login, score) in [("a", 4), ("b", 5)] as [(String, Int64)] {
                _ = try await server.client(login).sync(
                    guids.map {
                        .update($0, of: "ConflictsEntity", from: 1, ["score": .integer(score)])
                    })
            }
            try await visit.open("conflicts")
            try await browser.script(
                "document.querySelectorAll('.inbox a')[3].click()")
            try await person.press("Next page")
            try await browser.wait(for: "document.querySelectorAll('.inbox a').length === 1")
            let last = try await browser.script(
                "return document.querySelector('.inbox a').search")
            try await person.press("Resolve")
            // The inbox begins anew.
            try await browser.wait(for: "document.querySelectorAll('.inbox a').length === 100")
            try await browser.script("history.back()")
            try await browser.wait(for: "isRead()")

            let other = try await browser.wait(
                for: "document.querySelectorAll('.inbox a').length === 100 "
                    + "&& document.querySelectorAll('.inbox a')[99].search")
            #expect(last != other)
            try await browser.open("/console/in/test/conflicts\(other.string ?? "")")
            try await browser.wait(
                for: "isRead() && document.querySelectorAll('.inbox a')[99]"
                    + "?.getAttribute('aria-current') === 'true'")
            // A record that is no longer in conflict is not taken for another one.
            try await browser.open("/console/in/test/conflicts\(last.string ?? "")")
            try await person.sees("That record is no longer in conflict")
        }
    }

    @Test(arguments: ["theirs", "mine"], Person.Hand.allCases)
    func ruleResolvesMany(side: String, hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
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
    @Test(arguments: Person.Hand.allCases)
    func deletionIsDisputedInWords(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Ivan", "score": 1]])[0]
            try await server.client("a").push(.delete(guid, of: "ConflictsEntity", from: 1))
            try await server.client("b").push(
                .update(guid, of: "ConflictsEntity", from: 1, ["score": 3]))
            try await visit.open("conflicts")
            try await person.sees("1 2 3 choose")
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
