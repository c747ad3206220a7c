import Foundation
import JSON
import SyncProtocol
import Testing

/// Values that forms show and change: dates, relations and files.
extension BrowserTests {
    /// Moments that a control for dates cannot show stay what they are.
    @Test func distantDatesStay() async throws {
        try await ConsoleVisit.run(changing: addingDates) { visit in
            let (person, client) = (visit.person, try visit.server.client("a"))
            let moments: [Int64] = [
                253_402_300_800_000, 8_999_999_999_999_999, -62_135_596_800_001,
            ]
            let guids = try await visit.server.create(
                "ConflictsEntity",
                moments.map { ["title": .string("at \($0)"), "seen": .integer($0)] })
            for (guid, moment) in zip(guids, moments) {
                try await visit.browser.open(
                    "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
                let panel = "ConflictsEntity \(guid.prefix(8))"
                try await person.press("Edit", in: panel)
                try await person.fill("score", with: "4", in: "Edit ConflictsEntity")
                try await person.press("Save", in: "Edit ConflictsEntity")
                try await person.sees("revision 2", in: panel)
                #expect(try await client.record(guid).fields?["seen"] == .integer(moment))
            }
            try await visit.open("phones")
            try await visit.signIn("a", on: "Phone 1")
            for (guid, moment) in zip(guids, moments) {
                try await person.press("Edit at \(moment)", in: "Phone 1: a")
                try await person.fill("score", with: "5", in: "Edit record")
                try await person.press("Save", in: "Edit record")
                try await person.sees("Online, nothing waits", in: "Phone 1: a")
                try await visit.browser.wait(
                    for: "!document.querySelector('.record-form') && shows('5', given[0])",
                    .string("at \(moment)"))
                // The phone sends the edit after it has shown it.
                let record = try await asked(
                    { try await client.record(guid) },
                    until: { $0.fields?["score"] == .integer(5) })
                #expect(record.fields?["seen"] == .integer(moment))
            }
        }
    }

    /// Defaults and dates of other years are typed in milliseconds.
    @Test func distantDateIsTyped() async throws {
        try await ConsoleVisit.run(changing: addingDates) { visit in
            let (person, client) = (visit.person, try visit.server.client("a"))
            let guid = try await visit.server.create(
                "ConflictsEntity", [["title": "far", "seen": .integer(253_402_300_800_000)]])[0]
            try await visit.browser.open(
                "/console/in/test/records?model=ConflictsEntity&guid=\(guid)")
            let (panel, dialog) = ("ConflictsEntity \(guid.prefix(8))", "Edit ConflictsEntity")
            try await person.press("Edit", in: panel)
            try await person.fill("seen", with: "soon", in: dialog)
            try await person.press("Save", in: dialog)
            try await person.sees("Write milliseconds since 1970", in: dialog)
            try await person.fill("seen", with: "9007199254740993", in: dialog)
            try await person.press("Save", in: dialog)
            try await person.sees("9007199254740993", in: panel)
            let seen = try await client.record(guid).fields?["seen"]
            #expect(seen == .integer(9_007_199_254_740_993))

            try await visit.open("phones")
            try await visit.signIn("a", on: "Phone 1")
            try await person.press("Add record", in: "Phone 1: a")
            let begun = try await visit.browser.wait(for: "field('begun', 'New record').value")
            #expect(begun == "2026-01-01T00:00")
            try await person.fill("title", with: "new", in: "New record")
            try await person.press("Save", in: "New record")
            try await person.sees("2026-01-01 00:00 UTC", in: "new")
        }
    }

    /// A relation is chosen among the records that are there, or given by its guid.
    @Test(arguments: Person.Hand.allCases)
    func relatedRecordIsChosen(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(definition: "Dates", hand: hand) { visit in
            let (person, client) = (visit.person, try visit.server.client("a"))
            let occasions = try await visit.server.create(
                "Occasion",
                ["holiday", "birthday"].map {
                    ["kind": .string($0), "name": "Ann", "date": .integer(0)]
                })
            try await visit.browser.open("/console/in/test/records?model=Gift")
            try await person.press("New record")
            try await person.choose("birthday (", of: "occasion", in: "New Gift")
            try await person.fill("idea", with: "a kite", in: "New Gift")
            try await person.press("Create", in: "New Gift")
            try await visit.browser.wait(for: "new URLSearchParams(location.search).get('guid')")
            #expect(try await client.gifts()["a kite"] == occasions[1])

            let panel = try await visit.browser.wait(
                for: "document.querySelector('section.panel h2')?.textContent")
            try await person.press("Edit", in: panel.string)
            try await person.choose("another one", of: "occasion", in: "Edit Gift")
            try await person.fill("The guid for occasion", with: occasions[0], in: "Edit Gift")
            try await person.press("Save", in: "Edit Gift")
            try await person.sees("revision 2", in: panel.string)
            #expect(try await client.gifts()["a kite"] == occasions[0])

            try await visit.open("phones")
            try await visit.signIn("a", on: "Phone 1")
            try await person.choose("Gift", of: "Model", in: "Phone 1: a")
            try await person.press("Add record", in: "Phone 1: a")
            try await person.choose("birthday (", of: "occasion", in: "New record")
            try await person.fill("idea", with: "a boat", in: "New record")
            try await person.press("Save", in: "New record")
            try await person.sees("in sync", in: "a boat")
            #expect(try await client.gifts()["a boat"] == occasions[1])
        }
    }

    /// A file of one phone is on the other one, also if it was chosen offline.
    @Test(arguments: Person.Hand.allCases)
    func fileGoesFromPhoneToPhone(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(changing: addingFile, hand: hand) { visit in
            let person = visit.person
            try await visit.open("phones")
            try await visit.signIn("a", on: "Phone 1")
            try await visit.signIn("b", on: "Phone 2")
            try await person.press("Add record", in: "Phone 1: a")
            try await person.fill("title", with: "Stalker", in: "New record")
            try await visit.attach("a roof", named: "roof.txt", to: "poster")
            try await person.press("Save", in: "New record")
            try await visit.save("roof.txt", on: "Phone 2: b", expecting: "a roof")

            try await person.press("Offline", in: "Phone 1: a")
            try await person.press("Edit Stalker", in: "Phone 1: a")
            try await person.sees("Now: roof.txt", in: "Edit record")
            try await visit.attach("a door", named: "door.txt", to: "poster")
            try await person.press("Save", in: "Edit record")
            try await visit.save("door.txt", on: "Phone 1: a", expecting: "a door")
            try await visit.open("phones")
            try await person.sees("Offline, 1 change waits", in: "Phone 1: a")
            try await person.press("Offline", in: "Phone 1: a")
            try await visit.save("door.txt", on: "Phone 2: b", expecting: "a door")

            try await person.press("Edit Stalker", in: "Phone 2: b")
            try await person.press("no file", in: "Edit record")
            try await person.press("Save", in: "Edit record")
            try await person.losesSight(of: "door.txt", in: "Phone 1: a")
        }
    }

    /// The server's refusal of a file is told, and the records go on.
    @Test func refusedFileHoldsUpNothing() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.open("overview")
            let sent = try await visit.browser.wait(for: refusedFileScript)
            #expect(
                sent.text == #"["PUT files","POST sync","fileTooLarge","POST sync","none"]"#)
        }
    }

    /// A picture that is larger than the window is shown as a whole.
    @Test func largePictureFits() async throws {
        let server = try await RunningServer(site: try await Site.withFiles(), processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            let client = try visit.server.client("a")
            let guid = fresh()
            #expect(try await client.put(guid, widePicture).status == 201)
            try await client.attach(guid)
            try await visit.browser.resize(width: 320, height: 700)
            try await visit.open("files")
            try await visit.person.press("Show \(guid)")
            let widths = try await visit.browser.wait(
                for: """
                    (() => {
                      const image = document.querySelector('img.preview')
                      const dialog = document.querySelector('dialog')
                      return image?.complete && [image.naturalWidth,
                        dialog.scrollWidth <= dialog.clientWidth,
                        image.clientWidth > 100, image.clientWidth === image.clientHeight]
                    })()
                    """)
            #expect(widths.text == "[2000,true,true,true]")
        }
    }
}

extension ConsoleVisit {
    /// Signs a prepared user in on a phone.
    fileprivate func signIn(_ login: String, on phone: String) async throws {
        try await person.fill("Login", with: login, in: phone)
        try await person.fill("Password", with: PreparedDatabase.password(of: login), in: phone)
        try await person.press("Sign in", in: phone)
        try await person.sees("Online, nothing waits", in: "\(phone): \(login)")
    }

    /// Saves a file of a phone, and checks its contents.
    fileprivate func save(_ file: String, on phone: String, expecting text: String) async throws {
        try await browser.script(
            """
            globalThis.original ??= URL.createObjectURL
            delete globalThis.saved
            URL.createObjectURL = (blob) => {
              blob.text().then((text) => { globalThis.saved = text })
              return original.call(URL, blob)
            }
            """)
        try await person.press("Save \(file)", in: phone)
        let saved = try await browser.wait(for: "globalThis.saved")
        #expect(saved.string == text)
    }
}

extension Client {
    /// The occasions of gifts by their ideas.
    fileprivate func gifts() async throws -> [String: String] {
        try await records().filter { $0.model == "Gift" }.reduce(into: [:]) { gifts, record in
            guard let idea = record.fields?["idea"]?.string else { return }
            gifts[idea] = record.fields?["occasion"]?.string
        }
    }
}

private let allRights = """
    <credentials><credential role="users-mobile" createAllowed="ALL" readAllowed="ALL" \
    updateAllowed="ALL"/></credentials>
    """

@Sendable private func addingDates(_ text: String) throws -> String {
    try text.changing(
        "<field name=\"score\"",
        to: """
            <field name="seen" type="DATE">\(allRights)</field>
            <field name="begun" type="DATE" defaultValue="1767225600000">\(allRights)</field>
            <field name="score"
            """)
}

@Sendable private func addingFile(_ text: String) throws -> String {
    try text.changing(
        "<field name=\"score\"",
        to: "<field name=\"poster\" type=\"FILE\">\(allRights)</field> <field name=\"score\"")
}

/// A GIF of 2,000 by 2,000 pixels, of which one is drawn.
private let widePicture = Data(
    Array("GIF89a".utf8) + [0xD0, 0x07, 0xD0, 0x07, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B])

/// A phone whose server takes no files. Returns the requests, and how each sync ended.
private let refusedFileScript = #"""
    (globalThis.run ??= (async () => {
      const { Phone } = await import('/console/modules/phone.js')
      const told = []
      const answer = (status, body) =>
        ({ ok: status < 300, status, text: async () => JSON.stringify(body) })
      const fetch = async (path, { method, body }) => {
        const kind = path.split('/')[3]
        if (kind === 'session') return answer(201, { token: 't', login: 'a', group: 'g' })
        told.push(`${method} ${kind}`)
        if (kind === 'files') return answer(413, { code: 'fileTooLarge', message: 'too large' })
        const changes = JSON.parse(body).changes
        return answer(200, { cursor: 'c', records: [], dropped: [], more: false,
          outcomes: changes.map(({ id, guid }) => ({ id, guid, outcome: 'accepted' })) })
      }
      const storage = { getItem: () => null, setItem: () => {} }
      const phone = new Phone({ environment: 'test', identifier: 'p', fetch, storage })
      await phone.setOnline(false)
      await phone.signIn('a', 'usera', 'mobile')
      await phone.addFile('f', new File(['a roof'], 'roof.txt'))
      phone.create('m', { poster: { filename: 'roof.txt', guid: 'f' } })
      await phone.setOnline(true).catch((error) => told.push(error.code))
      await phone.sync().catch((error) => told.push(error.code))
      told.push(phone.waiting === 0 ? 'none' : 'some')
      return globalThis.told = told
    })().catch((error) => { globalThis.told = String(error) }), globalThis.told)
    """#
