import JSON
import SyncProtocol
import Testing

/// Values of records, as they look and as they stay.
extension BrowserTests {
    /// A value, null, an empty text, and a value that the reader may not see.
    @Test(arguments: Person.Hand.allCases)
    func statesOfFieldsLookDifferent(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(definition: "Permissions", hand: hand) { visit in
            let model = "PermissionsEntity"
            _ = try await visit.server.create(
                model,
                [
                    ["title": "Solaris", "director": "Tarkovsky"],
                    ["title": "", "director": .null],
                ])
            try await visit.open("records")
            for text in ["Tarkovsky", "empty text", "∅"] { try await visit.person.sees(text) }
            try await visit.person.losesSight(of: "not theirs")
            try await visit.person.fill("As seen by", with: "b on mobile")
            try await visit.person.leaveField()
            try await visit.person.sees("not theirs")
            try await visit.person.losesSight(of: "Tarkovsky")
            let looks = try await visit.browser.wait(
                for: """
                    ['.value', '.empty-text', '.absent'].map((kind) => {
                      const style = getComputedStyle(document.querySelector('td ' + kind))
                      return style.backgroundImage.slice(0, 9) + style.fontStyle
                    })
                    """)
            #expect(looks.elements.map(\.text).count == Set(looks.elements.map(\.text)).count)
        }
    }

    /// An empty text and no value are different things to save.
    @Test(arguments: Person.Hand.allCases)
    func textIsEmptiedAndTakenAway(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(definition: "Permissions", hand: hand) { visit in
            let (person, server, model) = (visit.person, visit.server, "PermissionsEntity")
            let guid = try await server.create(
                model, [["title": "Solaris", "director": "Tarkovsky"]])[0]
            try await visit.browser.open("/console/in/test/records?model=\(model)&guid=\(guid)")
            let (panel, dialog) = ("\(model) \(guid.prefix(8))", "Edit \(model)")
            try await person.press("Edit", in: panel)
            try await person.fill("director", with: "", in: dialog)
            try await person.press("Save", in: dialog)
            try await person.sees("empty text", in: panel)
            #expect(try await server.client("a").record(guid).fields?["director"] == "")
            try await person.press("Edit", in: panel)
            try await person.press("No value for director", in: dialog)
            try await person.press("Save", in: dialog)
            try await person.sees("∅", in: panel)
            #expect(try await server.client("a").record(guid).fields?["director"] == .null)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func relationsLeadBothWays(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(definition: "FieldService", hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let office = try server.client("dora", on: "office")
            let (customer, site) = (fresh(), fresh())
            let outcomes = try await office.sync([
                .create(customer, of: "customer", ["name": "Mill & Sons"]),
                .create(
                    site, of: "site",
                    ["customer": .string(customer), "name": "Barn", "address": "Field 7"]),
            ]).outcomes
            #expect(outcomes.allSatisfy { $0.outcome == .accepted }, "\(outcomes)")
            try await visit.browser.open("/console/in/test/records?model=site&guid=\(site)")
            try await person.press("customer \(customer.prefix(8))")
            try await person.sees("Mill & Sons", in: "customer \(customer.prefix(8))")
            try await person.press("site \(site.prefix(8))")
            try await person.sees("Field 7", in: "site \(site.prefix(8))")
        }
    }

    /// The integer is one that JavaScript would round.
    @Test func valuesStayExact() async throws {
        let wide = { (text: String) in
            try text.changing(#""maxValue">5<"#, to: #""maxValue">9007199254740999<"#)
        }
        try await ConsoleVisit.run(changing: wide) { visit in
            let score = JSONValue.integer(9_007_199_254_740_993)
            let guid = try await visit.server.create(
                "ConflictsEntity", [["title": "long", "score": score]])[0]
            try await visit.browser.open(
                "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
            let panel = "ConflictsEntity \(guid.prefix(8))"
            try await visit.person.sees("9007199254740993", in: panel)
            try await visit.person.press("Edit", in: panel)
            try await visit.person.fill("title", with: "longer", in: "Edit ConflictsEntity")
            try await visit.person.press("Save", in: "Edit ConflictsEntity")
            try await visit.person.sees("longer", in: panel)
            #expect(try await visit.server.client("a").record(guid).fields?["score"] == score)
        }
    }
}
