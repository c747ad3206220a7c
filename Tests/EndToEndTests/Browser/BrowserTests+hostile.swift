import JSON
import Testing

extension BrowserTests {
    private static let hostileTexts = [
        "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "{{constructor}}",
        "\"' onmouseover=alert(3) x='", "javascript:alert(4)", "&lt;b&gt;&#x41;",
        "\u{202E}desrever\u{202C}", "a\u{0301}\u{0302}\u{0303}",
        String(repeating: "wide ", count: 40),
        "line\nline", "%00%2e%2e/", "\u{FFFD}\u{200B}",
    ]

    /// Texts of users are shown as texts, wherever they stand.
    @Test func textsStayTexts() async throws {
        try await ConsoleVisit.run { visit in
            let (browser, server) = (visit.browser, visit.server)
            let guids = try await server.create(
                "ConflictsEntity", Self.hostileTexts.map { ["title": .string($0), "score": 1] })
            for (guid, text) in zip(guids, Self.hostileTexts) {
                for (login, start) in [("a", "A"), ("b", "B")] {
                    try await server.client(login).push(
                        .update(
                            guid, of: "ConflictsEntity", from: 1, ["title": .string(start + text)]))
                }
            }
            let session = try await server.adminSession("ann")
            for login in ["\"><script>alert(5)</script>", "%2e%2e", "a/b", "é<b>"] {
                let body = JSONValue.object([
                    "login": .string(login), "password": "a long password", "group": "users",
                    "mail": "",
                ])
                let added = try await server.admin(
                    "POST", "environments/test/users", body.text, as: session)
                #expect(added.status == 201, "\(added.text)")
            }
            for page in Self.pages {
                try await browser.open("/console/\(page)")
                try await browser.wait(for: "isRead()")
                let made = try await browser.script(
                    "return document.querySelectorAll('main img, main script, main b').length"
                )
                #expect(made == .integer(0), "\(page)")
            }
            try await visit.open("users")
            try await visit.person.press("Remove a/b")
            try await visit.person.press("Remove", in: "Remove a/b?")
            try await visit.person.losesSight(of: "a/b")
            for guid in guids.prefix(3) {
                try await browser.open(
                    "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
                try await visit.person.sees(
                    "Belongs to it", in: "ConflictsEntity \(guid.prefix(8))")
            }
        }
    }

    /// An address that somebody else made up shows an error, and nothing more.
    @Test(arguments: [
        "in/test/records?model=%3Cimg%20src%3Dx%3E&filter=%7B%22eq%22%3A1%7D",
        "in/test/records?guid=..%2F..%2Fusers&as=a&device=%22",
        "in/test/conflicts?model=%3Cscript%3E&cursor=x", "in/nowhere/overview",
        "in/%2e%2e%2f/overview", "sign-in?to=https:%2F%2Fevil.example", "in/test/missing",
    ])
    func addressesAreHarmless(address: String) async throws {
        try await ConsoleVisit.run { visit in
            try await visit.browser.open("/console/\(address)")
            try await visit.browser.wait(for: "document.querySelector('main')")
            let place = try await visit.browser.wait(
                for: "!document.querySelector('[aria-busy]') && location.origin")
            #expect(place.string == visit.browser.origin)
        }
    }

    /// The phone keeps what it could not send, and sends it once the server answers again.
    @Test func phoneOutlivesBrokenConnection() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            _ = try await visit.server.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await visit.open("phones")
            try await person.fill("Login", with: "a", in: "Phone 1")
            try await person.fill(
                "Password", with: PreparedDatabase.password(of: "a"), in: "Phone 1")
            try await person.press("Sign in", in: "Phone 1")
            try await person.sees("Ivan", in: "Phone 1: a")
            try await connect(browser, false)
            try await person.press("Delete Ivan", in: "Phone 1: a")
            try await person.sees("The server does not answer", in: "Phone 1: a")
            try await person.sees("1 change waits", in: "Phone 1: a")
            try await connect(browser, true)
            try await person.press("Sync", in: "Phone 1: a")
            try await person.sees("Online, nothing waits", in: "Phone 1: a")
            #expect(try await visit.server.client("b").records().isEmpty)
        }
    }

    private func connect(_ browser: Browser, _ isConnected: Bool) async throws {
        try await browser.chrome("Network.enable")
        try await browser.chrome(
            "Network.emulateNetworkConditions",
            [
                "offline": .boolean(!isConnected), "latency": 0, "downloadThroughput": -1,
                "uploadThroughput": -1,
            ])
    }
}
