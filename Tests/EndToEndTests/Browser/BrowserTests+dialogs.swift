import JSON
import Testing

/// A dialog, and how it is opened.
struct DialogOpener: Sendable, CustomTestStringConvertible {
    /// That of its files.
    let name: String
    /// Relative to the console.
    let page: String
    /// The buttons that lead to it.
    let presses: [String]
    /// Its name on the page.
    let title: String

    init(_ name: String, _ page: String, _ presses: [String], _ title: String? = nil) {
        self.name = name
        self.page = page
        self.presses = presses
        self.title = title ?? presses.last ?? ""
    }

    var testDescription: String { name }
}

extension BrowserTests {
    private static let record =
        "in/test/records?model=ConflictsEntity&guid=00000000-0000-4000-8000-000000000003"

    private static let createDialogs = [
        DialogOpener("new-application", "", ["New application"]),
        DialogOpener(
            "remove-draft", "", ["Remove the draft conflicts"], "Remove the draft conflicts?"),
        DialogOpener("remove-model", "models", ["Remove the model"], "Remove ConflictsEntity?"),
        DialogOpener("deploy-to-test", "models", ["Deploy to Test"], "Deploy to test"),
        DialogOpener("remove-group", "groups", ["Remove the group users"], "Remove users?"),
        DialogOpener("remove-role", "groups", ["users-mobile"], "Remove the role users-mobile?"),
        DialogOpener("keep-draft", "versions", ["Keep the draft as a version"]),
        DialogOpener("label-version", "versions", ["Label version 1"], "Version 1"),
        DialogOpener(
            "deploy-version", "versions", ["Deploy version 1"], "Deploy version 1 to…"),
        DialogOpener(
            "deploy-first", "versions", ["Deploy version 1", "Try it without deploying"],
            "Deploy to production"),
    ]
    private static let recordDialogs = [
        DialogOpener("new-record", "in/test/records", ["New record"], "New ConflictsEntity"),
        DialogOpener("import", "in/test/records", ["Import"], "Import ConflictsEntity"),
        DialogOpener("export", "in/test/records", ["Export"], "Export ConflictsEntity"),
        DialogOpener("save-view", "in/test/records", ["Save view"]),
        DialogOpener("edit-record", record, ["Edit"], "Edit ConflictsEntity"),
        DialogOpener(
            "change-owner", record, ["Change owner"], "Change the owner of this ConflictsEntity"),
        DialogOpener("delete-record", record, ["Delete"], "Delete this ConflictsEntity?"),
        DialogOpener(
            "put-back", record, ["Put back what was before revision 2"], "Put back?"),
        DialogOpener(
            "resolve-many", "in/test/conflicts", ["Resolve 2"], "Resolve 2 records?"),
        DialogOpener("lock", "in/test/deployments", ["Lock it"], "Lock test?"),
        DialogOpener("send-notification", "in/test/notifications", ["Send notification"]),
    ]
    private static let peopleDialogs = [
        DialogOpener("add-user", "in/test/users", ["Add user"]),
        DialogOpener("edit-user", "in/test/users", ["Edit a"]),
        DialogOpener("remove-user", "in/test/users", ["Remove a"], "Remove a?"),
        DialogOpener("invite", "in/test/users", ["Invite"]),
        DialogOpener("account", "in/test/users", ["Account of a"]),
        DialogOpener(
            "erase", "in/test/users", ["Account of a", "Erase their data"],
            "Erase the data of a?"),
        DialogOpener(
            "sign-out-device", "in/test/devices", ["Sign a out of phone"],
            "Sign a out of phone?"),
        DialogOpener(
            "delete-push-token", "in/test/devices", ["Delete the token of phone"],
            "Delete this push token?"),
    ]
    private static let serverDialogs = [
        DialogOpener("add-operator", "operators", ["Add operator"]),
        DialogOpener("edit-operator", "operators", ["Edit ann"]),
        DialogOpener("remove-operator", "operators", ["Remove ann"], "Remove ann?"),
        DialogOpener("make-token", "tokens", ["Make token"]),
        DialogOpener("end-token", "tokens", ["End ci"], "End the token ci?"),
        DialogOpener("go-to", "activity", ["Go to a page"]),
        DialogOpener(
            "change-password", "activity", ["Operator ann", "Change password"],
            "Change your password"),
        DialogOpener("requests", "activity", ["Operator ann", "Requests as curl"]),
        DialogOpener(
            "password-again", "tokens", ["Make token", "Make"], "Your password, please"),
    ]

    /// Few in each, so that a slow machine is through before its server ends.
    private static let dialogGroups: [[DialogOpener]] =
        [createDialogs, recordDialogs, peopleDialogs, serverDialogs].flatMap { all in
            stride(from: 0, to: all.count, by: 4).map { Array(all[$0..<min($0 + 4, all.count)]) }
        }

    /// As the pages: in two widths, with pictures, and as screen readers get them.
    @Test(arguments: dialogGroups)
    func dialogsAreAccessible(dialogs: [DialogOpener]) async throws {
        try await ConsoleVisit.run { visit in
            try await seed(visit)
            _ = try await visit.server.adminToken(
                "deployer", as: try await visit.server.adminSession("ann"))
            let put = try await visit.server.client("a").call(
                "PUT", "pushTokens/apns", #"{"token":"a secret token"}"#)
            #expect(put.status == 200, "\(put.text)")
            try await visit.server.client("a").push(
                .update(
                    "00000000-0000-4000-8000-000000000003", of: "ConflictsEntity", from: 1,
                    ["score": 2]))
            if dialogs.contains(where: { $0.name == "deploy-to-test" }) {
                try await waitForClients(of: visit.server)
            }
            for dialog in dialogs {
                try await open(dialog, visit)
                // The lines have the port of the server, and the order of the answers.
                try await check(
                    "dialog-\(dialog.name)", visit, isRecorded: dialog.name != "requests")
            }
        }
    }

    /// The one that asks for the password again does so because the last one is too old.
    private func open(_ dialog: DialogOpener, _ visit: ConsoleVisit) async throws {
        try await show(dialog.page, visit, width: 1400)
        if dialog.name == "password-again" {
            try await endConfirmation(visit)
        } else {
            try await visit.confirm()
        }
        for name in dialog.presses { try await visit.person.press(name) }
        try await visit.browser.wait(
            for: "area(given[0])?.matches('dialog[open]') "
                + "&& !document.querySelector('dialog [aria-busy]')", .string(dialog.title))
    }

    private func check(
        _ name: String, _ visit: ConsoleVisit, widths: [Int64] = [320, 1400],
        isRecorded: Bool = true
    ) async throws {
        let browser = visit.browser
        if isRecorded {
            let tree = try await browser.chrome("Accessibility.getFullAXTree")
            try compare(lasting(AccessibilityTree(tree).description), with: name)
        }
        for width in widths {
            try await browser.resize(width: width, height: 800)
            for theme in ["light", "dark"] {
                try await visit.prefer("prefers-color-scheme", theme)
                let findings = try await browser.script(pageChecks)
                #expect(findings.elements.map(\.text) == [], "\(name) \(theme) \(width)")
                try await visit.picture("\(name)-\(theme)-\(width)")
                guard width == 1400 else { continue }
                #expect(try await axe(browser) == [], "\(name) \(theme)")
            }
        }
    }

    /// Those that nobody needs to be signed in for.
    @Test func openPagesAreAccessible() async throws {
        let server = try await RunningServer(
            site: try Site(definition: definition("Conflicts")), processes: 1)
        try await Browser.run(on: server) { browser in
            let visit = ConsoleVisit(
                server: server, browser: browser, person: Person(browser: browser, hand: .mouse))
            for (page, name, shown) in [
                ("setup#token", "setup", "At least 8 characters"),
                ("setup", "setup-without-token", "The address has no token"),
                ("sign-in", "sign-in", "Password"), ("nowhere", "missing", "There is no such page"),
            ] {
                // Another fragment alone would load nothing.
                try await browser.open("/console/images/waggle.svg")
                try await browser.open("/console/\(page)")
                try await visit.person.sees(shown)
                try await check(name, visit, widths: [320, 900, 1400])
                #expect(try await unseenFocus(browser) == [], "\(page)")
            }
            let messages = try await browser.messages()
            #expect(messages == [])
        }
    }

    /// These are some of the metrics, whose rows are always the same.
    @Test func metricsReadAsRecorded() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts", isAdministered: true), processes: 1,
            arguments: ["--metrics-port", "0"])
        try await ConsoleVisit.run(on: server) { visit in
            try await show("metrics", visit, width: 1280)
            try await visit.person.fill("Search", with: "waggle_uploads")
            try await visit.person.losesSight(of: "waggle_requests_total")
            let tree = try await visit.browser.chrome("Accessibility.getFullAXTree")
            let text = lasting(AccessibilityTree(tree).description)
                .replacing(/\d+(\.\d+)?/, with: "N").replacing("N readings", with: "N reading")
            try compare(text, with: "metrics")
        }
    }
}
