import Foundation
import JSON
import SyncProtocol
import Testing

extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func recordsAreFoundReadAndChanged(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let guids = try await server.create(
                "ConflictsEntity",
                (1...5).map { ["title": .string("film \($0)"), "score": .integer($0)] })
            try await visit.open("records")
            try await person.sees("5 here")

            try await person.press("Filter")
            try await person.press("Add condition")
            try await person.choose("score", of: "Field", in: "Condition 1")
            try await person.choose("is at least", of: "Comparison", in: "Condition 1")
            try await person.fill("Value", with: "4", in: "Condition 1")
            try await person.press("Find")
            try await person.sees("2 here")
            try await person.losesSight(of: "film 3")

            try await person.press(String(guids[3].prefix(8)))
            let panel = "ConflictsEntity \(guids[3].prefix(8))"
            try await person.sees("film 4", in: panel)
            try await person.sees("created by a on mobile", in: panel)
            try await person.press("Edit", in: panel)
            try await person.fill("score", with: "9", in: "Edit ConflictsEntity")
            try await person.press("Save", in: "Edit ConflictsEntity")
            try await person.sees("'score' must be 5 or less")
            try await person.fill("score", with: "5", in: "Edit ConflictsEntity")
            try await person.press("Save", in: "Edit ConflictsEntity")
            try await person.sees("updated by operator ann", in: panel)
            #expect(try await server.client("b").record(guids[3]).fields?["score"] == .integer(5))

            try await person.press("Put back what was before revision 2", in: panel)
            try await person.press("Put back", in: "Put back?")
            try await person.sees("revision 3", in: panel)
            #expect(try await server.client("b").record(guids[3]).fields?["score"] == .integer(4))

            try await visit.browser.script("history.back()")
            try await person.sees("2 here")
        }
    }

    /// The filter of an address is shown as conditions, which can be taken away.
    @Test(arguments: Person.Hand.allCases)
    func conditionsAreRemoved(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.createFilms()
            let filter = #"{"and":[{"ge":["score",4]},{"eq":["title","film 4"]}]}"#
            let text = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            try await visit.browser.open(
                "/console/in/test/records?filter=\(try #require(text))")
            try await person.sees("1 here")
            try await person.press("Remove condition 2")
            try await person.press("Find")
            try await person.sees("2 here")
            try await person.press("All records")
            try await person.sees("5 here")
        }
    }

    /// The list tells of the changes of others, and not of the operator's own.
    @Test(arguments: Person.Hand.allCases)
    func newerChangesAreCounted(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            let films = [["title": "Ivan", "score": 1]] as [[String: JSONValue]]
            let guid = try await server.create("ConflictsEntity", films)[0]
            try await visit.open("records")
            try await person.press(String(guid.prefix(8)))
            let panel = "ConflictsEntity \(guid.prefix(8))"
            try await person.press("Edit", in: panel)
            try await person.fill("score", with: "3", in: "Edit ConflictsEntity")
            try await person.press("Save", in: "Edit ConflictsEntity")
            try await person.sees("updated by operator ann", in: panel)
            for count in ["1 newer change.", "2 newer changes."] {
                _ = try await server.create("ConflictsEntity", films)
                try await person.sees(count)
            }
            try await person.press("Show")
            try await person.sees("3 here")
            try await person.losesSight(of: "newer change")
        }
    }

    /// The line stays when records are read: the page knows the fields of the version before.
    @Test func otherDeploymentIsNotForgotten() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            try await visit.createFilms()
            try await visit.open("records")
            let text = try definition("Conflicts").changing(
                #"</fields>"#, to: #"  <field name="year" type="INTEGER"/></fields>"#)
            let deployed = try await server.admin(
                "POST", "environments/test/deployments",
                JSONValue.object(["xml": .string(text)]).text,
                as: try await server.adminSession("ann"))
            #expect(deployed.status == 200, "\(deployed.text)")
            try await person.sees("Another version was deployed.")
            try await person.choose("score, descending", of: "Order")
            try await visit.browser.wait(
                for: "isRead() && document.querySelector('main tbody tr').cells[1].textContent "
                    + "=== 'film 5'")
            try await person.sees("Another version was deployed.")
            try await person.press("Show")
            try await visit.browser.wait(
                for: "[...document.querySelectorAll('main th')]"
                    + ".some((e) => e.textContent === 'year')")
        }
    }

    /// An operator gives a record to another user and group, and the list knows that it was they.
    @Test(arguments: Person.Hand.allCases)
    func recordGetsAnotherOwner(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(environment: "production", hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            var (a, b) = (try server.client("a"), try server.client("b"))
            (a.environment, b.environment) = ("production", "production")
            let guid = fresh()
            try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Ivan", "score": 1]))
            try await visit.browser.open(
                "/console/in/production/records?model=ConflictsEntity&guid=\(guid)")
            let panel = "ConflictsEntity \(guid.prefix(8))"
            try await person.press("Change owner", in: panel)
            let dialog = "Change the owner of this ConflictsEntity"
            try await person.sees("This changes production", in: dialog)
            try await person.fill("Owner", with: "nobody", in: dialog)
            try await person.press("Change", in: dialog)
            try await person.sees("There is no user 'nobody'", in: dialog)
            try await person.fill("Owner", with: "b", in: dialog)
            try await endConfirmation(visit)
            try await person.press("Change", in: dialog)
            try await visit.givePassword()
            try await person.sees("reassigned by operator ann", in: panel)
            try await person.sees("before: owner a, group users", in: panel)
            #expect(try await b.record(guid).owner == "b")
            try await person.losesSight(of: "newer change")
        }
    }

    /// The history goes on as far as it goes.
    @Test(arguments: Person.Hand.allCases)
    func historyIsReadToItsEnd(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            let guid = try await visit.server.create(
                "ConflictsEntity", [["title": "film", "score": 1]])[0]
            let client = try visit.server.client("a")
            for revision in Int64(1)...110 {
                try await client.push(
                    .update(
                        guid, of: "ConflictsEntity", from: revision,
                        ["title": .string("film \(revision)")]))
            }
            try await visit.browser.open(
                "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
            for count in [50, 100] {
                try await visit.browser.wait(
                    for: "document.querySelectorAll('.history > li').length === \(count)")
                try await person.press("Earlier entries")
            }
            try await person.sees("created by a on mobile")
            try await person.losesSight(of: "Earlier entries")
            let revisions = try await visit.browser.script(
                "return [...document.querySelectorAll('.history > li')]"
                    + ".map((e) => /revision (\\d+)/.exec(e.textContent)[1]).join()")
            let all = (1...111).reversed().map(String.init).joined(separator: ",")
            #expect(revisions.string == all)
        }
    }

    /// A view has filter, order and columns, and is there when the page is opened again.
    @Test(arguments: Person.Hand.allCases)
    func viewsAreKept(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, name, columns) = (visit.person, "<b>best", "Columns (3 of 4)")
            try await visit.createFilms()
            try await visit.chooseBestFilms(seeing: columns)
            try await visit.saveView(name)

            try await visit.open("records")
            try await person.sees("5 here")
            #expect(try await visit.views() == ["none", name])
            try await person.choose(name, of: "View")
            try await person.sees("2 here")
            try await person.sees(columns)
            try await visit.browser.wait(
                for: """
                    [...document.querySelectorAll('main thead th')].map((e) => e.textContent)
                      .join() === 'Record,title,score,Group'
                    && [...document.querySelectorAll('main tbody tr')]
                      .map((row) => row.cells[1].textContent).join() === 'film 5,film 4'
                    """)

            try await person.press("Rename view")
            try await person.fill("Name", with: "top", in: "Rename view")
            try await person.press("Save", in: "Rename view")
            try await visit.browser.wait(for: "field('View', null)?.value === 'top'")
            #expect(try await visit.views() == ["none", "top"])
            try await person.press("Remove view")
            try await person.press("Remove", in: "Remove the view top?")
            try await person.losesSight(of: "Rename view")
            #expect(try await visit.views() == ["none"])
            try await person.sees("2 here")
        }
    }

    @Test func viewsAreLimited() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.createFilms()
            try await visit.open("records")
            try await visit.saveView("first")
            try await visit.browser.script(
                """
                const key = Object.keys(localStorage)
                  .find((each) => each.startsWith('waggle-views'))
                const [view] = JSON.parse(localStorage.getItem(key))
                localStorage.setItem(key, JSON.stringify(
                  Array.from({ length: 50 }, (_, n) => ({ ...view, name: `view ${n}` }))))
                """)
            try await visit.open("records")
            try await visit.saveView("view 7")
            #expect(try await visit.views().count == 51)
            try await visit.person.press("Save view")
            try await visit.person.fill("Name", with: "new", in: "Save view")
            try await visit.person.press("Save", in: "Save view")
            try await visit.person.sees("There are 50 views already", in: "Save view")
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func rowsAreImportedAndExported(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.open("records")
            try await person.press("Import")
            try await visit.attach("title,score\nIvan,3\nSolaris,9\n", named: "a.csv", to: "File")
            try await person.fill("Owner of new records", with: "a")
            try await person.leaveField()
            let dialog = "Import ConflictsEntity"
            try await person.press("Check without importing", in: dialog)
            try await person.sees("It would be: 1 created", in: dialog)
            try await person.sees("line 3, score: ", in: dialog)
            #expect(try await visit.server.client("a").records().isEmpty)
            try await person.press("Import", in: dialog)
            try await person.sees("1 created", in: "Imported ConflictsEntity")
            try await person.press("Done", in: "Imported ConflictsEntity")
            try await person.sees("Ivan", in: "Records of ConflictsEntity")
            try await person.press("Export")
            let rows = try await visit.browser.wait(
                for: "button('CSV', 'Export ConflictsEntity').href")
            let text = try await visit.browser.script(
                "return (await fetch(given[0])).text()", rows)
            #expect(text.string?.contains("Ivan") == true, "\(text)")
        }
    }

    /// Rows that took effect, although the answer got lost, do so once.
    @Test func repeatedRowsAreTold() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.open("records")
            try await person.press("Import")
            try await visit.attach("title,score\nIvan,3\nSolaris,4\n", named: "a.csv", to: "File")
            try await person.fill("Owner of new records", with: "a")
            try await person.leaveField()
            let dialog = "Import ConflictsEntity"
            try await person.press("Check without importing", in: dialog)
            try await person.sees("It would be: 2 created", in: dialog)
            try await visit.browser.script(
                """
                const calls = XMLHttpRequest.prototype
                const real = calls.addEventListener
                calls.addEventListener = function (event, act) {
                  real.call(this, { load: 'nothing', error: 'load' }[event] ?? event, act)
                  if (event === 'error') delete calls.addEventListener
                }
                """)
            try await person.press("Import", in: dialog)
            try await person.sees("The server cannot be reached", in: dialog)
            try await person.press("Import", in: dialog)
            try await person.sees("2 imported before", in: "Imported ConflictsEntity")
        }
    }

    /// Its owner decides, and not what the operator supposes.
    @Test(arguments: Person.Hand.allCases)
    func rightsToStoredRecordAreExplained(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(definition: "Permissions", hand: hand) { visit in
            let (person, model) = (visit.person, "PermissionsEntity")
            let guid = try await visit.server.create(
                model, [["title": "Solaris", "director": "Tarkovsky"]])[0]
            try await visit.browser.open("/console/in/test/records?model=\(model)&guid=\(guid)")
            try await person.press("Who may read or change it, and why?")
            try await person.choose("director", of: "Field")
            for (user, answer) in [("a", "Yes"), ("b", "No")] {
                try await person.fill("User", with: user)
                try await person.press("Explain")
                try await person.sees(answer, in: "Answer")
            }
        }
    }
}

extension ConsoleVisit {
    /// Five of them, the scores of which are 1 to 5.
    fileprivate func createFilms() async throws {
        _ = try await server.create(
            "ConflictsEntity",
            (1...5).map { ["title": .string("film \($0)"), "score": .integer($0)] })
    }

    /// Shows those with a score of four and more, the best first, without their owners.
    fileprivate func chooseBestFilms(seeing columns: String) async throws {
        try await open("records")
        try await person.sees("5 here")
        try await person.choose("score, descending", of: "Order")
        try await person.press("Columns")
        try await person.press("Owner", in: "Columns shown")
        try await person.sees(columns)
        try await person.press("Filter")
        try await person.press("Add condition")
        try await person.choose("score", of: "Field", in: "Condition 1")
        try await person.choose("is at least", of: "Comparison", in: "Condition 1")
        try await person.fill("Value", with: "4", in: "Condition 1")
        try await person.press("Find")
        try await person.sees("2 here")
    }

    /// Keeps what the page of records shows.
    fileprivate func saveView(_ name: String) async throws {
        try await person.press("Save view")
        try await person.fill("Name", with: name, in: "Save view")
        try await person.press("Save", in: "Save view")
        try await browser.wait(for: "field('View', null)?.value === given[0]", .string(name))
    }

    /// The options of the list of views.
    fileprivate func views() async throws -> [String] {
        try await browser.script(
            "return [...field('View', null).options].map((each) => each.textContent)"
        ).elements.compactMap(\.string)
    }
}
