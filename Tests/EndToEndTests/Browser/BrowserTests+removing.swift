import JSON
import SyncProtocol
import Testing

/// Records, parts of a definition and operators are removed once that is confirmed.
extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func recordIsDeleted(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Ivan", "score": 1]])[0]
            try await visit.browser.open(
                "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
            try await person.press("Delete", in: "ConflictsEntity \(guid.prefix(8))")
            try await person.press("Cancel", in: "Delete this ConflictsEntity?")
            try await person.sees("Ivan", in: "Records of ConflictsEntity")
            try await person.press("Delete", in: "ConflictsEntity \(guid.prefix(8))")
            try await person.press("Delete", in: "Delete this ConflictsEntity?")
            try await person.sees("No ConflictsEntity here")
            #expect(try await server.client("b").records().allSatisfy(\.deleted))
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func modelRoleAndGroupAreRemoved(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await person.press("Remove the model")
            try await person.press("Remove", in: "Remove ConflictsEntity?")
            try await person.sees("No model yet")
            try await person.press("Undo")
            try await person.sees("Fields", in: "Model ConflictsEntity")

            try await browser.open("/console/groups")
            try await person.press("users-mobile")
            try await person.press("Remove", in: "Remove the role users-mobile?")
            try await browser.wait(for: "button('users-mobile', null)?.checked === false")
            try await person.press("Remove the group users")
            try await person.sees("No role has it.", in: "Remove users?")
            try await person.press("Remove", in: "Remove users?")
            try await browser.wait(
                for: "isRead() && !document.querySelector('dialog') "
                    + "&& !field('Name of the group users', null)")
            try await browser.open("/console/xml")
            let text = try await visit.text()
            for element in ["<group ", "<role "] { #expect(!text.contains(element), "\(text)") }
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func operatorIsChangedAndRemoved(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            _ = try await visit.server.operatorSession("ben", "keeper")
            try await browser.open("/console/operators")
            try await person.sees("keeper", in: "Operators")
            try await person.press("Edit ben")
            try await person.choose("viewer", of: "Scope", in: "Edit ben")
            try await person.press("Save", in: "Edit ben")
            try await person.sees("viewer", in: "Operators")
            try await person.press("Remove ben")
            try await person.press("Remove", in: "Remove ben?")
            try await person.losesSight(of: "ben", in: "Operators")
            let answer = try await visit.server.admin(
                "POST", "session", #"{"name":"ben","password":"password of ben"}"#, as: .nobody)
            #expect(answer.status == 401, "\(answer.text)")
        }
    }
}
