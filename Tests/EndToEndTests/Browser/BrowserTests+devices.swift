import Foundation
import JSON
import SyncProtocol
import Testing

extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func deviceIsSignedOut(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            _ = try await visit.server.signIn("b", device: "tablet")
            _ = try await visit.server.signIn("a", device: "laptop")
            try await visit.open("devices")
            try await person.sees("laptop", in: "Devices")
            try await person.fill("Search", with: "TABLET")
            try await person.sees("1 device")
            try await person.losesSight(of: "laptop", in: "Devices")
            try await person.press("Sign b out of tablet")
            try await person.press("Sign out", in: "Sign b out of tablet?")
            try await person.sees("No user or device has this in its name.")
        }
    }

    /// The device that was seen last comes first, and those that were never seen come last.
    @Test(arguments: Person.Hand.allCases)
    func devicesAreOrdered(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            for (login, device) in [("b", "atlas"), ("a", "zebra"), ("b", "camel")] {
                let token = try await visit.server.signIn(login, device: device).token
                guard device == "zebra" else { continue }
                _ = try await Client(server: visit.server, token: token).sync()
            }
            for (order, devices) in [
                ("device", "atlas,camel,zebra"), ("user", "zebra,atlas,camel"),
                ("last seen", "zebra,atlas,camel"),
            ] {
                // Otherwise the browser adds what is typed to what was typed just before.
                try await visit.open("devices")
                try await visit.person.choose(order, of: "Order")
                try await visit.browser.wait(
                    for: """
                        [...document.querySelectorAll('[aria-label="Devices"] tbody tr')]
                          .map((row) => row.cells[1].textContent)
                          .filter((name) => given[0].includes(name)).join() === given[0]
                        """, .string(devices))
            }
            try await visit.person.sees("unknown", in: "Devices")
        }
    }

    /// With one request, since any of them may be the one that was seen last.
    @Test func manyDevicesComeAtOnce() async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        guard site.isOfFile else { return }
        try await site.signInDevices(300)
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            try await visit.open("devices")
            try await visit.person.sees("300 devices")
            let asked = try await visit.browser.script(
                "return performance.getEntriesByType('resource')"
                    + ".filter(({ name }) => name.includes('/devices?')).length")
            #expect(asked == .integer(1))
        }
    }

    /// Only what is an image is shown.
    @Test(arguments: Person.Hand.allCases)
    func filesAreShownIfTheyAreImages(hand: Person.Hand) async throws {
        let server = try await RunningServer(site: try await Site.withFiles(), processes: 1)
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let client = try visit.server.client("a")
            let pixel = try #require(Data(base64Encoded: onePixel))
            for bytes in [pixel, Data("<svg/>".utf8)] {
                let guid = fresh()
                #expect(try await client.put(guid, bytes).status == 201)
                try await client.attach(guid)
            }
            try await visit.open("files")
            let guids = try await visit.browser.script(
                """
                return [...document.querySelectorAll('tbody tr')].map((row) =>
                  [row.cells[0].textContent, row.cells[3].textContent])
                """
            ).elements.map { $0.elements.compactMap(\.string) }
            for row in guids {
                try await visit.person.press("Show \(row[0])")
                if row[1] == "\(pixel.count)" {
                    try await visit.browser.wait(for: "document.querySelector('img.preview')")
                } else {
                    try await visit.person.sees("is not an image that can be shown")
                }
                try await visit.person.press("Close", in: "File")
            }
            #expect(guids.count == 2)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func notificationIsSent(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.open("notifications")
            try await person.press("Send notification")
            try await person.fill("Text", with: "News <b>today</b>", in: "Send notification")
            try await person.choose("users", of: "Group", in: "Send notification")
            try await person.press("Send", in: "Send notification")
            try await person.sees("News <b>today</b>", in: "Notifications")
            try await person.sees("everybody in users", in: "Notifications")
            try await person.press("Send notification")
            try await person.fill("Text", with: "For one", in: "Send notification")
            try await person.fill("User", with: "nobody", in: "Send notification")
            try await person.press("Send", in: "Send notification")
            try await person.sees("There is no user nobody", in: "Send notification")
            try await person.fill("User", with: "b", in: "Send notification")
            try await person.press("Send", in: "Send notification")
            try await person.sees("For one", in: "Notifications")
            try await visit.browser.wait(
                for: "document.querySelector('tbody tr:last-child').cells[2].textContent === 'b'")
        }
    }

    /// Below those that are shown, which stay if the server cannot be reached.
    @Test func laterNotificationsAreAdded() async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        guard site.isOfFile else { return }
        try await site.addNotifications(150)
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            try await visit.open("notifications")
            try await visit.browser.script(
                "globalThis.real = fetch; globalThis.fetch = () => Promise.reject(new TypeError())")
            try await visit.person.press("Later")
            try await visit.browser.wait(
                for: "document.querySelector('main [role=alert] .error-text')"
                    + " && document.querySelectorAll('tbody tr').length === 100")
            try await visit.browser.script("globalThis.fetch = real")
            try await visit.person.press("Later")
            try await visit.browser.wait(
                for: "document.querySelectorAll('tbody tr').length === 150"
                    + " && !document.querySelector('main [role=alert]')")
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func metricsAreSearched(hand: Person.Hand) async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts", isAdministered: true), processes: 1,
            arguments: ["--metrics-port", "0"])
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            try await visit.browser.open("/console/metrics")
            try await visit.person.fill("Search", with: "process_")
            try await visit.person.sees("process_", in: "Metrics")
            try await visit.person.losesSight(of: "waggle_requests_total")
        }
    }

    /// The page reads by itself, and a table has what a line shows.
    @Test(arguments: Person.Hand.allCases)
    func metricsAreDrawnOverTime(hand: Person.Hand) async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts", isAdministered: true), processes: 1,
            arguments: ["--metrics-port", "0"])
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let (person, browser, name) = (visit.person, visit.browser, "waggle_requests_total")
            try await browser.open("/console/metrics")
            try await person.fill("Search", with: name)
            try await person.losesSight(of: "waggle_uploads")
            try await person.press("Read again")
            try await person.sees("in each second", in: name)
            try await browser.wait(
                for: "parseInt(document.querySelector('.toolbar .faint').textContent) >= 3")
            try await browser.wait(
                for: "document.querySelector('.chart .line').getAttribute('d').includes('L')")
            try await person.press("As a table", in: name)
            try await person.sees("Value (in each second)", in: "Readings of \(name)")
            try await person.press("Read every 10 seconds")
            try await browser.wait(
                for: "document.querySelector('[role=switch][aria-checked=false]')")
        }
    }

    /// The page listens again after the server was away, and tells that something is new.
    @Test(arguments: Person.Hand.allCases)
    func streamComesBack(hand: Person.Hand) async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        let first = try await RunningServer(site: site, processes: 1)
        let port = first.port
        try await ConsoleVisit.run(on: first, hand: hand) { visit in
            _ = try await first.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await visit.open("records")
            try await visit.person.sees("Ivan")
            await first.crash()
            let second = try await RunningServer(
                site: site, processes: 1, arguments: ["--port", "\(port)"])
            _ = try await second.create("ConflictsEntity", [["title": "Nostalgia", "score": 2]])
            try await visit.person.sees("1 newer change.")
            try await visit.person.losesSight(of: "Nostalgia")
            try await visit.person.press("Show")
            try await visit.person.sees("Nostalgia")
            try await visit.person.losesSight(of: "newer change")
        }
    }
}

extension Site {
    /// Devices on which `a` is signed in, with sessions that nobody can use, and no others.
    fileprivate func signInDevices(_ count: Int) async throws {
        try await sql(
            """
            DELETE FROM sessions;
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO sessions (token_hash, environment, login, device_category,
                device_identifier, expires_at)
            SELECT randomblob(32), environment, login, 'mobile', 'phone ' || n,
                1000 * (86400 + CAST(strftime('%s', 'now') AS INTEGER))
            FROM users CROSS JOIN numbers WHERE login = 'a'
            """)
    }
}

extension Site {
    fileprivate func addNotifications(_ count: Int) async throws {
        try await sql(
            """
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO notifications (environment, number, name, sender, at, body)
            SELECT id, n, 'n' || n, 'a', 1000 * CAST(strftime('%s', 'now') AS INTEGER),
                '{"text":"News ' || n || '"}'
            FROM environments CROSS JOIN numbers;
            UPDATE environments SET last_notification = \(count)
            """)
    }
}

/// A PNG image of one pixel.
let onePixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
    + "=="
