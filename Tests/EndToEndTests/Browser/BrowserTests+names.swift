import Foundation
import JSON
import SyncProtocol
import Testing

/// Names and values that somebody else has chosen, wherever they may stand.
extension BrowserTests {
    /// A text without spaces, as identifiers of devices and tags of versions need it.
    private static let tight = "<img/src=x/onerror=alert(1)>"
    private static let long = tight + String(repeating: "w", count: 36)
    private static let loose =
        "<b>bold</b> <img src=x onerror=alert(2)> \"' onmouseover=alert(3) {{x}} "
        + "\u{202E}txet\u{202C} " + String(repeating: "w", count: 120)

    @Test func namesStayTexts() async throws {
        let site = try await Site(
            prepared: "Permissions", changing: { _ in Self.hostileDefinition },
            isAdministered: true)
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            try await fillServer(visit)
            let (record, disputed) = try await fillRecords(server)
            try await visit.begin(with: Self.hostileDefinition)
            try await visit.browser.resize(width: 320, height: 800)
            let query = "model=PermissionsEntity&guid=\(record)"
            let panels = [
                "in/test/records?\(query)", "in/test/explain?\(query)", "xml?version=1",
                "in/test/conflicts?of=PermissionsEntity&guid=\(disputed)", "xml?in=test",
            ]
            for page in Self.pages + panels { try await look(at: page, visit) }
            for (page, name, dialog) in [
                ("in/test/records?\(query)", "Edit", "Edit PermissionsEntity"),
                ("in/test/users", "Edit c", "Edit c"),
                ("versions", "Label version 1", "Version 1"),
                ("in/test/devices", "Sign a out of \(Self.long)", "Sign a out of \(Self.long)?"),
                ("in/test/devices", "Delete the token of \(Self.long)", "Delete this push token?"),
                ("models", "Deploy to Test", "Deploy to test"),
            ] {
                try await look(at: page, visit)
                try await visit.person.press(name)
                try await visit.browser.wait(
                    for: "area(given[0])?.matches('dialog[open]')", .string(dialog))
                try await expectTexts(visit, "\(page) \(name)")
            }
        }
    }

    private func look(at page: String, _ visit: ConsoleVisit) async throws {
        try await visit.browser.open("/console/\(page)")
        try await visit.browser.wait(for: "isRead()")
        try await expectTexts(visit, page)
    }

    /// No text has become a node, and nothing is wider than the window.
    private func expectTexts(_ visit: ConsoleVisit, _ place: String) async throws {
        let made = try await visit.browser.script(
            "return document.querySelectorAll(':is(main, dialog, #toasts) :is(img, script, b, i)')"
                + ".length")
        #expect(made == .integer(0), "\(place)")
        let findings = try await visit.browser.script(pageChecks)
        #expect(findings.elements.map(\.text) == [], "\(place)")
    }

    /// A version with tag and note, a user with a mail address, a device with a push token, and a
    /// notification.
    private func fillServer(_ visit: ConsoleVisit) async throws {
        let server = visit.server
        let ann = try await server.adminSession("ann")
        func send(_ method: String, _ path: String, _ body: [String: JSONValue]) async throws {
            let answer = try await server.admin(
                method, path, JSONValue.object(body).text, as: ann)
            #expect(answer.status < 300, "\(path): \(answer.text)")
        }
        try await send(
            "PATCH", "versions/1", ["tag": .string(Self.long), "note": .string(Self.loose)])
        try await send(
            "POST", "environments/test/users",
            [
                "login": "c", "password": "a long password", "group": "users",
                "mail": .string("\(Self.loose)@example.org"),
            ])
        try await send(
            "POST", "environments/test/notifications",
            ["notification": .object(["text": .string(Self.loose)])])
        let session = try await server.signIn("a", device: Self.long)
        let put = try await Client(server: server, token: session.token).call(
            "PUT", "pushTokens/apns", JSONValue.object(["token": .string(Self.long)]).text)
        #expect(put.status == 200, "\(put.text)")
    }

    /// A record with a file, whose values are as bad as its definition allows, and one in conflict.
    private func fillRecords(
        _ server: RunningServer
    ) async throws -> (record: String, disputed: String) {
        let (client, model) = (try server.client("a"), "PermissionsEntity")
        let (record, disputed, file) = (fresh(), fresh(), fresh())
        #expect(try await client.put(file, Data("<svg/>".utf8)).status == 201)
        let values: [String: JSONValue] = [
            "title": .string(Self.loose),
            "key": .string(Data(Self.loose.utf8).base64EncodedString()),
            "data": .string(JSONValue.object([Self.loose: .string(Self.loose)]).text),
            "poster": .object([
                "guid": .string(file), "filename": .string(Self.loose.replacing("/", with: "-")),
            ]),
        ]
        let response = try await client.sync([
            .create(record, of: model, values), .create(disputed, of: model, values),
        ])
        #expect(response.outcomes.allSatisfy { $0.outcome == .accepted }, "\(response)")
        for (login, start) in [("a", "A"), ("b", "B")] {
            try await server.client(login).push(
                .update(disputed, of: model, from: 1, ["title": .string(start + Self.loose)]))
        }
        return (record, disputed)
    }

    /// Its descriptions, defaults and comments are as bad as the language allows.
    private static let hostileDefinition: String = {
        let field = { (name: String, more: String) in
            """
            <field name="\(name)" \(more) w:description="\(escaped(loose))"><credentials>
              <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                updateAllowed="ALL"/></credentials></field>
            """
        }
        return """
            <!-- \(tight) -->
            <application xmlns="http://schema.mobeelizer.com/application"
                xmlns:w="urn:waggle:definition" application="permissions" vendor="waggle"
                conflictMode="MANUAL">
              <devices><device name="mobile"/></devices><groups><group name="users"/></groups>
              <roles><role group="users" device="mobile"/></roles>
              <models><model name="PermissionsEntity" w:description="\(escaped(loose))">
                <!-- \(loose) -->
                <fields>
                  \(field("title", "type='TEXT' defaultValue='\(escaped(tight))'"))
                  \(field("data", "type='TEXT' w:format='json' w:maxBytes='2000'"))
                  \(field("key", "type='TEXT' w:format='base64' w:maxBytes='2000'"))
                  \(field("poster", "type='FILE'"))
                </fields>
                <credentials><credential role="users-mobile" createAllowed="ALL"
                  readAllowed="ALL" updateAllowed="ALL" deleteAllowed="ALL"
                  resolveConflictAllowed="true"/></credentials></model></models>
            </application>
            """
    }()
}

/// As XML writes it in an attribute.
private func escaped(_ text: String) -> String {
    [("&", "&amp;"), ("<", "&lt;"), ("\"", "&quot;"), ("'", "&apos;")]
        .reduce(text) { $0.replacing($1.0, with: $1.1) }
}
