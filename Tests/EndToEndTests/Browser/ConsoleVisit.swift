import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// An operator at the console of a server.
struct ConsoleVisit: Sendable {
    let server: RunningServer
    let browser: Browser
    let person: Person

    /// Starts a server, opens a page, signs the designer `ann` in, and runs `body`. Fails if the
    /// browser's console has a message afterwards, such as an error of a script or a violation of
    /// the content security policy.
    static func run(
        definition: String = "Conflicts", changing change: (String) throws -> String = { $0 },
        environment: String = "test", hand: Person.Hand = .mouse, scope: String = "designer",
        _ body: (ConsoleVisit) async throws -> Void
    ) async throws {
        let site = try await Site(
            prepared: definition, changing: change, isAdministered: scope == "designer")
        if environment != "test" {
            let renamed = try await site.waggle("environment", "rename", "test", environment)
            #expect(renamed.exitCode == 0, "\(renamed.errors)")
        }
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--environment", environment])
        try await run(on: server, hand: hand, scope: scope, body)
    }

    /// The same on a server that runs.
    static func run(
        on server: RunningServer, hand: Person.Hand = .mouse, scope: String = "designer",
        _ body: (ConsoleVisit) async throws -> Void
    ) async throws {
        let session =
            if let session = server.site.designer { session } else {
                try await server.operatorSession("ann", scope)
            }
        try await Browser.run(on: server) { browser in
            let visit = ConsoleVisit(
                server: server, browser: browser, person: Person(browser: browser, hand: hand))
            try await visit.goOn(with: session)
            // That of a prepared site is older than the time for which a password counts.
            if server.site.designer != nil { try await visit.confirm() }
            try await body(visit)
            let messages = try await browser.messages()
            #expect(messages == [])
        }
    }

    /// Opens the first page with a session of `ann` that began elsewhere.
    private func goOn(with session: AdminCredentials) async throws {
        let cookie = try #require(session.headers["Cookie"]).split(separator: "=", maxSplits: 1)
        try await browser.chromeOfContext(
            "Storage.setCookies",
            [
                "cookies": .array([
                    .object([
                        "name": .string(String(cookie[0])), "value": .string(String(cookie[1])),
                        "url": .string(browser.origin), "httpOnly": .boolean(true),
                        "sameSite": "Strict",
                    ])
                ])
            ])
        try await browser.open("/console/images/waggle.svg")
        try await browser.script("localStorage.setItem('operator', 'ann')")
        try await browser.open("/console/")
    }

    func signIn(as name: String = "ann") async throws {
        try await browser.open("/console/sign-in")
        try await person.fill("Name", with: name)
        try await person.fill("Password", with: "password of \(name)")
        try await person.press("Sign in")
        try await browser.wait(for: "location.pathname === '/console/' && isRead()")
    }

    /// Opens a page of an environment, and waits until it has read what it shows.
    func open(_ page: String, of environment: String = "test") async throws {
        try await browser.open("/console/in/\(environment)/\(page)")
        try await browser.wait(for: "isRead()")
    }

    /// Begins a draft with an example, and opens a page that shows the draft.
    func design(_ example: String, on page: String) async throws {
        try await browser.open("/console/")
        try await person.press(example)
        try await browser.wait(for: "location.pathname === '/console/models'")
        try await browser.open("/console/\(page)")
        try await person.sees("✓ checked", in: "Draft")
    }

    /// The text on the page of the XML.
    func text() async throws -> String {
        let text = try await browser.wait(for: "field('The definition as XML', null)?.value")
        return text.string ?? ""
    }

    /// Replaces a text as if it were pasted.
    func paste(_ text: String, into label: String) async throws {
        try await browser.script(
            """
            const target = field(arguments[0], null)
            target.focus()
            target.value = arguments[1]
            target.dispatchEvent(new Event('input', { bubbles: true }))
            """, .string(label), .string(text))
    }

    /// Chooses a file with this text for an input.
    func attach(_ text: String, named name: String, to label: String) async throws {
        try await browser.wait(for: "field(given[0], null)", .string(label))
        try await browser.script(
            """
            const target = field(given[0], null), files = new DataTransfer()
            files.items.add(new File([given[1]], given[2]))
            target.files = files.files
            target.dispatchEvent(new Event('change', { bubbles: true }))
            """, .string(label), .string(text), .string(name))
    }

    /// Writes a picture of the page to `.build/console` for people, and for a page of the
    /// documentation to its folder if `UPDATE_GOLDEN` is set.
    func picture(_ name: String, isDocumentation: Bool = false) async throws {
        let answer = try await browser.chrome(
            "Page.captureScreenshot", ["captureBeyondViewport": .boolean(true)])
        let image = try #require(answer.member("data")?.string.flatMap { Data(base64Encoded: $0) })
        let folder = repositoryPath(".build/console")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var folders = [folder]
        if isDocumentation, ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            folders.append(repositoryPath("Sources/Waggle/Documentation.docc"))
        }
        for folder in folders {
            try image.write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
        }
    }
}

extension RunningServer {
    /// Writes records as a user on a device would.
    func create(
        _ model: String, _ records: [[String: JSONValue]], as login: String = "a"
    ) async throws -> [String] {
        let client = try client(login)
        let guids = records.map { _ in fresh() }
        let response = try await client.sync(
            zip(guids, records).map { .create($0, of: model, $1) })
        guard response.outcomes.allSatisfy({ $0.outcome == .accepted }) else {
            throw Unexpected("\(response.outcomes)")
        }
        return guids
    }

    /// Opens a conflict: `a` and `b` change a score without seeing each other.
    func disagree(on guid: String, base: Int64 = 1, a: Int64, b: Int64) async throws {
        try await client("a").push(
            .update(guid, of: "ConflictsEntity", from: base, ["score": .integer(a)]))
        try await client("b").push(
            .update(guid, of: "ConflictsEntity", from: base, ["score": .integer(b)]))
    }
}
