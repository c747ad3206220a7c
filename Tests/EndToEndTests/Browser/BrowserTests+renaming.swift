import JSON
import Testing

/// A renamed model or field says its former names, so that stored records stay.
extension BrowserTests {
    /// A name that an element has again is no former one.
    @Test(arguments: Person.Hand.allCases)
    func renamingBackLeavesNothing(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            for (from, to) in [("ConflictsEntity", "film"), ("film", "ConflictsEntity")] {
                try await visit.rename("Name", to: to, in: "Model \(from)")
                try await person.sees("Fields", in: "Model \(to)")
            }
            for (from, to) in [("title", "caption"), ("caption", "title")] {
                try await visit.rename("name", to: to, in: "Field \(from)")
                try await person.sees("type", in: "Field \(to)")
            }
            try await person.sees("✓ checked", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await !visit.text().contains("renamedFrom"))
        }
    }

    /// Where another field takes a former name, somebody decides. A new one never does by itself.
    @Test(arguments: Person.Hand.allCases)
    func formerNameIsForgotten(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await visit.rename("name", to: "caption", in: "Field title")
            try await person.sees("formerly title", in: "Field caption")
            try await person.press("New field")
            try await visit.rename("name", to: "title", in: "Field field1")
            try await person.sees("a field is named 'title' now", in: "Field caption")
            try await person.sees("■ 1 to correct", in: "Draft")
            try await person.press("Forget the former name title", in: "Field caption")
            try await person.losesSight(of: "formerly", in: "Field caption")
            try await person.losesSight(of: "to correct", in: "Draft")
        }
    }

    /// Production has the name before the one that Test has.
    @Test func earlierNamesStay() async throws {
        try await ConsoleVisit.run { visit in
            let original = try definition("Conflicts")
            let renamed =
                try original
                .changing(" application=", to: #" xmlns:w="urn:waggle:definition" application="#)
                .changing(
                    #"<model name="ConflictsEntity""#,
                    to: #"<model name="film" w:renamedFrom="ConflictsEntity""#
                )
                .changing(
                    #"<field name="title""#, to: #"<field name="name" w:renamedFrom="title""#)
            try await visit.deploy(original, to: "production")
            try await visit.deploy(
                renamed, to: "test",
                accepting: ["modelRenamed:film", "fieldRenamed:film.name"])
            try await visit.begin(with: renamed)
            try await visit.rename("Name", to: "box", in: "Model film")
            try await visit.person.sees("formerly film", in: "Model box")
            try await visit.rename("name", to: "label", in: "Field name")
            try await visit.person.sees("formerly name", in: "Field label")
            // No environment has the name in between.
            try await visit.rename("Name", to: "crate", in: "Model box")
            try await visit.person.sees("formerly film", in: "Model crate")
            try await visit.browser.open("/console/xml")
            let text = try await visit.text()
            #expect(text.contains(#"name="crate" w:renamedFrom="ConflictsEntity film""#), "\(text)")
            #expect(text.contains(#"name="label" w:renamedFrom="title name""#), "\(text)")
        }
    }

    /// Without Test the names of other environments count.
    @Test func namesOfProductionStay() async throws {
        try await ConsoleVisit.run(environment: "production") { visit in
            try await visit.design("Conflicts", on: "models")
            try await visit.rename("name", to: "caption", in: "Field title")
            try await visit.person.sees("formerly title", in: "Field caption")
            try await visit.rename("Name", to: "film", in: "Model ConflictsEntity")
            try await visit.person.sees("formerly ConflictsEntity", in: "Model film")
        }
    }
}

extension ConsoleVisit {
    fileprivate func rename(_ label: String, to name: String, in area: String) async throws {
        try await person.fill(label, with: name, in: area)
        try await person.leaveField()
    }

    fileprivate func deploy(
        _ text: String, to environment: String, accepting risks: [String] = []
    ) async throws {
        let body = JSONValue.object([
            "xml": .string(text), "accepting": .array(risks.map { .string($0) }),
        ])
        let deployed = try await server.admin(
            "POST", "environments/\(environment)/deployments", body.text,
            as: try await server.adminSession("ann"))
        #expect((200...201).contains(deployed.status), "\(deployed.text)")
    }
}
