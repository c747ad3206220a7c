import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

extension BrowserTests {
    static let createPages = [
        "", "models", "rights", "groups", "diagram", "xml", "versions", "download", "simulate",
    ]
    static let environmentPages = [
        "overview", "records", "conflicts", "users", "devices", "files", "notifications",
        "deployments", "explain", "phones",
    ].map { "in/test/\($0)" }
    static let serverPages = ["operators", "tokens", "activity", "metrics"]
    static let pages = createPages + environmentPages + serverPages
    /// Those and pages with something open: the first record of `seed`, and a version.
    private static let places: [String] =
        pages
        + ["records", "explain"].map {
            "in/test/\($0)?model=ConflictsEntity&guid=00000000-0000-4000-8000-000000000001"
        } + ["xml?version=1"]

    /// Few in each, so that a slow machine is through before its server ends.
    private static let pageGroups = stride(from: 0, to: places.count, by: 4).map {
        Array(places[$0..<min($0 + 4, places.count)])
    }

    /// In three widths and two themes, with a picture of each in `.build/console` for people.
    @Test(arguments: pageGroups)
    func pagesAreAccessible(pages: [String]) async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts", isAdministered: true), processes: 1,
            arguments: ["--metrics-port", "0"])
        try await ConsoleVisit.run(on: server) { visit in
            try await seed(visit)
            for page in pages {
                for width: Int64 in [320, 900, 1400] {
                    try await show(page, visit, width: width)
                    for theme in ["light", "dark"] {
                        try await visit.prefer("prefers-color-scheme", theme)
                        let findings = try await visit.browser.script(pageChecks)
                        #expect(findings.elements.map(\.text) == [], "\(page) \(theme) \(width)")
                        try await visit.picture("\(fileName(page))-\(theme)-\(width)")
                        guard width == 1400 else { continue }
                        #expect(try await axe(visit.browser) == [], "\(page) \(theme)")
                    }
                }
                #expect(try await unseenFocus(visit.browser) == [], "\(page)")
            }
        }
    }

    /// As screen readers get them. `UPDATE_GOLDEN=1` rewrites the files for review.
    @Test func pagesReadAsRecorded() async throws {
        try await ConsoleVisit.run { visit in
            try await seed(visit)
            try await waitForClients(of: visit.server)
            for page in Self.places where page != "metrics" {
                try await show(page, visit, width: 1280)
                let tree = try await visit.browser.chrome("Accessibility.getFullAXTree")
                try compare(lasting(AccessibilityTree(tree).description), with: fileName(page))
            }
        }
    }

    /// Such as `test-overview` and `test-records-open`, and `start` for the first page.
    private func fileName(_ page: String) -> String {
        page.isEmpty
            ? "start"
            : page.replacing("in/", with: "").replacing("/", with: "-")
                .replacing(/[?].*/, with: "-open")
    }

    /// A server stores every ten seconds which clients it has seen: from then on the overview has
    /// the same.
    func waitForClients(of server: RunningServer) async throws {
        let session = try await server.adminSession("ann")
        _ = try await asked(
            { try await server.admin("GET", "environments/test/clients", as: session) },
            until: { $0.text.contains("lastSeen") })
    }

    func show(_ page: String, _ visit: ConsoleVisit, width: Int64) async throws {
        try await visit.browser.resize(width: width, height: 800)
        try await visit.browser.open("/console/\(page)")
        try await visit.browser.wait(
            for: "isRead() && !document.querySelector('main').innerText.includes('…')"
                + " && !document.querySelector('select:disabled')")
        if page == "download" {
            // The page asks for the place of the library, which is the widest of its fields.
            try await visit.browser.wait(
                for: "[...document.querySelectorAll('main input')]"
                    + ".some((input) => input.size === 40 && input.value)")
        }
        // Those of an environment count its conflicts.
        guard page.hasPrefix("in/") else { return }
        try await visit.browser.wait(for: "document.querySelector('#rail .count')")
    }

    /// Steps through the page with Tab.
    func unseenFocus(_ browser: Browser) async throws -> [String] {
        var findings: [String] = []
        try await browser.script("document.activeElement.blur(); scrollTo(0, 0)")
        for _ in 0..<400 {
            try await browser.press(.tab)
            guard let finding = try await browser.script(focusCheck).string else { break }
            if !finding.isEmpty { findings.append(finding) }
        }
        return findings
    }

    /// The violations that axe finds, which 'make test-console' downloads.
    func axe(_ browser: Browser) async throws -> [String] {
        let path = repositoryPath(".build/axe/axe.min.js")
        try await browser.script(try String(contentsOfFile: path, encoding: .utf8))
        let found = try await browser.script(
            """
            const { violations } = await axe.run(document)
            return violations.map((each) =>
              each.id + ': ' + each.nodes.map((node) => node.html).join(' '))
            """)
        return found.elements.compactMap(\.string)
    }

    /// Without what differs from run to run.
    func lasting(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/, with: "TIME")
            .replacing(/\d{4}-\d\d-\d\d/, with: "DAY")
            .replacing(/local [^',]+/, with: "local USER")
            .replacing(/[0-9a-f]{64}/, with: "FINGERPRINT")
            .replacing(/\d+\/\d+\/\d{4}, [\d:]+\s[AP]M/, with: "TIME")
            .replacing(/[A-Z][a-z]{2} \d+, \d{4}, [\d:]+\s[AP]M/, with: "TIME")
            .replacing(WorkbenchTests.checkout, with: "CHECKOUT")
    }

    func compare(_ text: String, with page: String) throws {
        let path = repositoryPath("Tests/EndToEndTests/Fixtures/Console/\(page).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try (text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text + "\n" == recorded, "\(page): set UPDATE_GOLDEN=1 and look at the difference")
    }

    /// Three records, two of them in conflict, a notification, and a draft.
    func seed(_ visit: ConsoleVisit) async throws {
        let server = visit.server
        let guids = (1...3).map { "00000000-0000-4000-8000-00000000000\($0)" }
        let titles = ["Stalker", "Solaris", "Mirror"]
        _ = try await server.client("a").sync(
            zip(guids, titles).map {
                .create($0, of: "ConflictsEntity", ["title": .string($1), "score": 1])
            })
        for guid in guids.prefix(2) { try await server.disagree(on: guid, a: 4, b: 5) }
        let sent = try await server.admin(
            "POST", "environments/test/notifications", #"{"notification":{"text":"News"}}"#,
            as: try await server.adminSession("ann"))
        #expect(sent.status == 201, "\(sent.text)")
        try await visit.design("Conflicts", on: "models")
    }
}
