import Foundation
import JSON
import SyncProtocol
import Testing

extension BrowserTests {
    /// More users than a list has: the pages find the last one by what is typed.
    @Test(arguments: Person.Hand.allCases)
    func lastOfManyUsersIsFound(hand: Person.Hand) async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        try await site.addUsers(1001)
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let (person, last) = (visit.person, "user2001")
            try await createRecord(visit, of: last)
            try await person.fill("As seen by", with: "\(last) on mobile")
            try await person.leaveField()
            try await person.sees("1 here")
            try await person.sees("Stalker", in: "Records of ConflictsEntity")
            try await visit.browser.wait(
                for: "new URLSearchParams(location.search).get('as') === given[0]", .string(last))
            try await person.fill("As seen by", with: "nobody")
            try await person.leaveField()
            try await person.sees("There is no user 'nobody'")

            try await visit.open("records")
            try await importRecord(visit, of: last)
            let owners = try await server.site.sql("SELECT owner FROM records")
            #expect(owners.split(separator: "\n").map(String.init) == [last, last])
            try await explain(visit, last)
        }
    }

    /// The first users are there at once, and others when somebody asks for them: the ones before
    /// stay where they are.
    @Test func moreUsersAreListed() async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        try await site.addUsers(401)
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.open("users")
            try await person.sees("the first 200 users")
            try await person.press("More")
            try await person.sees("the first 400 users")
            let place = try await browser.script(
                "return [document.activeElement.textContent, scrollY > 2000]")
            #expect(place.text == #"["More",true]"#)
            try await person.press("More")
            try await person.sees("403 users")
            try await browser.wait(for: "document.querySelectorAll('tbody tr').length === 403")
            // A change leaves all of them there.
            try await person.press("Edit user1401")
            try await person.fill("Mail", with: "last@example.org", in: "Edit user1401")
            try await person.press("Save", in: "Edit user1401")
            try await person.sees("last@example.org", in: "Users")
            try await person.sees("403 users")
        }
    }

    /// The phones find their users among many that come before them.
    @Test func phonesFindUsersAmongMany() async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        try await site.addUsers(1001, named: "0")
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            try await visit.open("phones")
            try await visit.person.sees("Phone 2")
            let text = try await visit.browser.script(
                "return document.querySelector('main').innerText")
            #expect(text.string?.contains("yet") == false, "\(text)")
        }
    }

    /// The server suggests users as one types.
    private func createRecord(_ visit: ConsoleVisit, of login: String) async throws {
        let (person, dialog) = (visit.person, "New ConflictsEntity")
        try await visit.open("records")
        try await person.press("New record")
        try await person.fill("Owner", with: "r2001", in: dialog)
        try await visit.browser.wait(
            for: "[...field('Owner', given[0]).list.options].map((each) => each.value).join() "
                + "=== given[1]", .string(dialog), .string(login))
        try await person.fill("Owner", with: login, in: dialog)
        try await person.fill("title", with: "Stalker", in: dialog)
        try await person.press("Create", in: dialog)
        try await person.sees("1 here")
    }

    private func importRecord(_ visit: ConsoleVisit, of login: String) async throws {
        let (person, dialog) = (visit.person, "Import ConflictsEntity")
        try await person.press("Import")
        try await visit.attach("title,score\nIvan,3\n", named: "a.csv", to: "File")
        try await person.fill("Owner of new records", with: login, in: dialog)
        try await person.leaveField()
        try await person.press("Check without importing", in: dialog)
        try await person.sees("It would be: 1 created", in: dialog)
        try await person.press("Import", in: dialog)
        try await person.press("Done", in: "Imported ConflictsEntity")
        try await person.sees("2 here")
    }

    private func explain(_ visit: ConsoleVisit, _ login: String) async throws {
        let (person, browser) = (visit.person, visit.browser)
        let guid = try await visit.server.site.sql("SELECT min(guid) FROM records")
        try await browser.open(
            "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
        try await person.press("Who may read or change it, and why?")
        try await person.fill("User", with: login)
        try await person.press("Explain")
        try await person.sees("Yes", in: "Answer")
    }
}

extension Site {
    /// Users whose logins are `user1001` and so on, without passwords that anybody knows.
    fileprivate func addUsers(_ count: Int, named name: String = "user") async throws {
        try await sql(
            """
            WITH RECURSIVE numbers (n) AS (
                SELECT 1001 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(1000 + count))
            INSERT INTO users (environment, login, group_name, mail, is_admin, password_hash)
            SELECT environment, '\(name)' || n, group_name, mail, is_admin, password_hash
            FROM users CROSS JOIN numbers WHERE login = 'a'
            """)
    }
}
