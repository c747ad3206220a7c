import JSON
import Testing

/// The bar over each page, and the way in.
extension BrowserTests {
    /// A person who is not signed in gets to the page that they asked for all the same.
    @Test(arguments: Person.Hand.allCases)
    func signInLeadsBack(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await browser.deleteCookies()
            try await browser.open("/console/in/test/users")
            try await browser.wait(for: "location.pathname === '/console/sign-in'")
            try await person.fill("Name", with: "ann")
            try await person.fill("Password", with: "password of ann")
            try await person.press("Sign in")
            try await browser.wait(
                for: "location.pathname === '/console/in/test/users' && isRead()")
            try await person.sees("2 users")
        }
    }

    /// The mouse does the same as Ctrl K.
    @Test func pageIsChosenFromList() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.open("overview")
            try await person.press("Go to a page")
            try await person.fill("Go to", with: "test users")
            let option = """
                ((text) => [...document.querySelectorAll('[role=option]')]
                  .find((each) => each.textContent === text))
                """
            try await browser.click(option, "Userstest", in: nil)
            try await browser.wait(for: "location.pathname === '/console/in/test/users'")
            try await person.sees("2 users")
        }
    }

    /// There is a menu of several environments, which Escape closes.
    @Test(arguments: Person.Hand.allCases)
    func environmentIsChosenFromMenu(hand: Person.Hand) async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        let deployed = try await site.waggle(
            "deploy", site.definition, "--environment", "test-two")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let server = try await RunningServer(site: site, environments: 2, processes: 1)
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.open("overview")
            try await person.press("Test")
            try await browser.wait(for: "document.querySelector('details.menu[open]')")
            try await browser.press(.escape)
            try await browser.wait(for: "!document.querySelector('details.menu[open]')")
            try await person.press("Test")
            try await person.press("test-two")
            try await browser.wait(
                for: "location.pathname === '/console/in/test-two/overview' && isRead()")
            try await person.sees("conflicts by waggle")
            try await browser.wait(
                for: "document.querySelector('.bar .gap').innerText === 'conflicts'")
            try await person.press("Create")
            try await browser.wait(for: "location.pathname === '/console/models'")
        }
    }

    /// However long the name of an environment is, and however wide the window.
    @Test func barFitsWindow() async throws {
        let name = String(repeating: "w", count: 64)
        try await ConsoleVisit.run(environment: name) { visit in
            try await visit.open("overview", of: name)
            for width in stride(from: Int64(320), through: 1400, by: 60) {
                try await visit.browser.resize(width: width, height: 800)
                let findings = try await visit.browser.script(pageChecks)
                #expect(findings.elements.map(\.text) == [], "\(width)")
                // The rail begins below one row.
                guard width >= 900 else { continue }
                try await visit.browser.wait(
                    for: "document.querySelector('.bar').offsetHeight <= 48")
            }
        }
    }

    /// A theme that somebody chose stays, also on the next page.
    @Test(arguments: Person.Hand.allCases)
    func themeIsChosen(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.prefer("prefers-color-scheme", "light")
            try await visit.open("overview")
            try await person.press("Light or dark")
            try await browser.wait(for: "document.documentElement.dataset.theme === 'dark'")
            try await visit.open("users")
            try await browser.wait(for: "document.documentElement.dataset.theme === 'dark'")
            try await person.press("Light or dark")
            try await browser.wait(for: "document.documentElement.dataset.theme === 'light'")
        }
    }
}
