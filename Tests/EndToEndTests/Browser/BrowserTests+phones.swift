import JSON
import Testing

extension BrowserTests {
    /// The newcomer's story from the users to the resolved conflict.
    @Test(arguments: Person.Hand.allCases)
    func twoPhonesPlayConflict(hand: Person.Hand) async throws {
        let site = try Site(definition: definition("Conflicts"))
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let person = visit.person
            try await visit.open("phones")
            try await person.press("Add test users a and b")
            try await person.sees("Added a (password of a), b (password of b)")
            try await signIn("a", on: "Phone 1", person)
            try await signIn("b", on: "Phone 2", person)
            try await person.press("Add record", in: "Phone 1: a")
            try await person.fill("title", with: "Stalker", in: "New record")
            try await person.press("Save", in: "New record")
            try await person.sees("Stalker", in: "Phone 2: b")

            try await disagree(visit)
            try await visit.picture("phones-in-conflict")
            try await resolve(visit)

            try await visit.open("phones")
            for phone in ["Phone 1: a", "Phone 2: b"] {
                try await person.sees("in sync", in: phone)
                try await person.sees("5", in: phone)
                try await person.losesSight(of: "in conflict", in: phone)
            }
        }
    }

    /// Gives 4 and 5 offline, and syncs: the record is red on both phones.
    private func disagree(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        for (phone, score) in [("Phone 1: a", "4"), ("Phone 2: b", "5")] {
            try await person.press("Offline", in: phone)
            try await person.press("Edit Stalker", in: phone)
            try await person.fill("score", with: score, in: "Edit record")
            try await person.press("Save", in: "Edit record")
            try await person.sees("Offline, 1 change waits", in: phone)
        }
        try await person.press("Offline", in: "Phone 1: a")
        try await person.sees("Online, nothing waits", in: "Phone 1: a")
        try await person.press("Offline", in: "Phone 2: b")
        try await person.sees("mine: score 5 by b", in: "Phone 1: a")
        try await person.sees("theirs: score 4 by a", in: "Phone 2: b")
        for phone in ["Phone 1: a", "Phone 2: b"] {
            try await isRed("Stalker", in: phone, visit.browser)
        }
    }

    private func resolve(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await visit.open("conflicts")
        try await person.sees("The values stay; closes 1 conflict.")
        try await person.press("mine by b: 5", in: "score")
        try await person.sees("score becomes 5; closes 1 conflict.")
        try await person.press("Resolve")
        try await person.sees("No conflicts")
    }

    /// The users that the page has added sign in without that anybody types their passwords, and
    /// the line with them stays.
    @Test func phonesKnowTheirUsers() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            let person = visit.person
            try await visit.open("phones")
            try await person.press("Add test users a and b")
            try await person.sees("Added a (password of a), b (password of b)")
            try await person.press("Sign in", in: "Phone 1")
            try await person.sees("Online, nothing waits", in: "Phone 1: a")
            try await visit.open("phones")
            try await person.sees("Added a (password of a), b (password of b)")
            try await person.press("Sign in", in: "Phone 2")
            try await person.sees("Online, nothing waits", in: "Phone 2: b")
        }
    }

    /// A second form does not take the place of what was typed; of a record that was not sent yet
    /// the phone shows what the server will store.
    @Test func phoneKeepsWhatIsTyped() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            _ = try await server.create("ConflictsEntity", [["title": "Solaris", "score": 2]])
            try await visit.open("phones")
            try await signIn(
                "a", password: PreparedDatabase.password(of: "a"), on: "Phone 1", person)
            try await person.press("Offline", in: "Phone 1: a")
            try await person.press("Add record", in: "Phone 1: a")
            try await person.fill("title", with: "Ivan", in: "New record")
            try await person.press("Edit Solaris", in: "Phone 1: a")
            try await person.press("Save", in: "New record")
            try await person.sees("Ivan", in: "Phone 1: a")
            try await person.losesSight(of: "not theirs", in: "Phone 1: a")
            try await person.sees("1", in: "Ivan")
        }
    }

    /// Another client of the real wire plays the other phone.
    @Test func phoneKeepsChangesThatServerCannotTake() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Solaris", "score": 2]])[0]
            try await visit.open("phones")
            try await signIn(
                "a", password: PreparedDatabase.password(of: "a"), on: "Phone 1", person)
            try await person.sees("Solaris", in: "Phone 1: a")

            try await person.press("Edit Solaris", in: "Phone 1: a")
            try await person.fill("score", with: "7", in: "Edit record")
            try await person.press("Save", in: "Edit record")
            try await person.sees("'score' must be 5 or less", in: "Phone 1: a")
            try await person.sees("application.xml, line 34", in: "Phone 1: a")
            try await person.press("Dismiss", in: "Phone 1: a")

            try await person.press("Offline", in: "Phone 1: a")
            try await person.press("Edit Solaris", in: "Phone 1: a")
            try await person.fill("score", with: "3", in: "Edit record")
            try await person.press("Save", in: "Edit record")
            try await visit.browser.script("location.reload()")
            try await person.sees("Offline, 1 change waits", in: "Phone 1: a")
            try await server.client("b").push(
                .delete(guid, of: "ConflictsEntity", from: 1))
            try await person.press("Offline", in: "Phone 1: a")
            try await person.sees("theirs: deleted by b", in: "Phone 1: a")
        }
    }

    /// The client in JavaScript does what the page of the wire says, request by request.
    @Test func phoneFollowsRulesOfBases() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.open("overview")
            let sent = try await visit.browser.wait(for: phoneScript)
            #expect(
                sent.text == #"""
                    [{"actions":["create","update"],"bases":[null,null],"cursor":null},\#
                    {"actions":["update"],"bases":[1],"cursor":"c1"},\#
                    {"actions":["update","delete"],"bases":[3,null],"cursor":"c2"}]
                    """#)
        }
    }

    private func signIn(
        _ login: String, password: String? = nil, on phone: String, _ person: Person
    ) async throws {
        try await person.fill("Login", with: login, in: phone)
        try await person.fill("Password", with: password ?? "password of \(login)", in: phone)
        try await person.press("Sign in", in: phone)
        try await person.sees("Online, nothing waits", in: "\(phone): \(login)")
    }

    private func isRed(_ title: String, in phone: String, _ browser: Browser) async throws {
        try await browser.wait(
            for: """
                [...area(given[0]).querySelectorAll('li.conflicted')]
                  .some((e) => e.getAttribute('aria-label') === given[1]
                    && getComputedStyle(e).borderLeftColor === 'rgb(179, 65, 31)')
                """, .string(phone), .string(title))
    }
}

/// A phone with a server that answers from a list. During the first request the record is changed
/// again, so that this change no longer goes out with the creation.
private let phoneScript = #"""
    (globalThis.run ??= (async () => {
      const { Phone } = await import('/console/modules/phone.js')
      const sent = [], kept = {}
      const answers = [
        { token: 't', login: 'a', group: 'users', role: 'r', instance: 'i' },
        { cursor: 'c1', dropped: [], records: [], more: false },
        { cursor: 'c2', dropped: [], more: false,
          records: [{ guid: 'G', model: 'm', revision: 3, fields: {}, owner: 'a', group: 'g' }] },
        { cursor: 'c3', dropped: [], records: [], more: false },
      ]
      const fetch = async (path, { body }) => {
        const request = JSON.parse(body)
        const answer = answers.shift()
        if (request.changes) {
          sent.push({ actions: request.changes.map((c) => c.action),
            bases: request.changes.map((c) => c.base ?? null), cursor: request.cursor ?? null })
          if (sent.length === 1) phone.update(guid, { title: 'during' })
          answer.outcomes = request.changes.map((c) =>
            ({ id: c.id, guid: c.guid, model: 'm', outcome: 'accepted', revision: 2 }))
          for (const record of answer.records) record.guid = guid
        }
        return { ok: true, status: 200, text: async () => JSON.stringify(answer) }
      }
      const storage = { getItem: () => null, setItem: (k, v) => { kept[k] = v } }
      const phone = new Phone({ environment: 'test', identifier: 'p', fetch, storage })
      await phone.setOnline(false)
      await phone.signIn('a', 'usera', 'mobile')
      const guid = phone.create('m', { title: 'one' })
      phone.update(guid, { title: 'two' })
      await phone.setOnline(true)
      await phone.setOnline(false)
      phone.update(guid, { title: 'three' })
      phone.delete(guid)
      await phone.setOnline(true)
      return globalThis.sent = sent
    })(), globalThis.sent)
    """#
