import Foundation
import JSON
import Testing

extension BrowserTests {
    /// From the address that the server prints to a package in a folder, without XML. The pictures
    /// are those of the page *Console*. 'make run' starts the server with `--edit-file`.
    @Test(
        arguments: [
            (.mouse, []), (.keyboard, []), (.keyboard, ["--edit-file"]),
        ] as [(Person.Hand, [String])])
    func newcomerDesignsRunsAndDownloads(hand: Person.Hand, arguments: [String]) async throws {
        let text = try definition("Conflicts")
        let site = try Site(definition: text)
        let server = try await RunningServer(site: site, processes: 1, arguments: arguments)
        let address = try #require(server.banner.firstMatch(of: /\/console\/setup#\S+/))
        try await Browser.run(on: server) { browser in
            let effort = Effort()
            let visit = ConsoleVisit(
                server: server, browser: browser,
                person: Person(browser: browser, hand: hand, effort: effort))
            try await browser.open(String(address.output))
            try await begin(visit)
            try await makeModel(visit)
            try await deployToTest(visit)
            try await meetConflict(visit)
            try await resolveConflict(visit)
            try await downloadPackage(visit)
            let messages = try await browser.messages()
            #expect(messages == [])
            #expect(try site.folder.text(of: "application.xml") == text)
            #expect(effort.clicks <= 50, "\(effort.clicks) clicks")
            #expect(effort.seconds < 180, "\(effort.seconds) s")
        }
    }

    private func isDocumentation(_ visit: ConsoleVisit) -> Bool { visit.person.hand == .mouse }

    private func begin(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await person.fill("Name", with: "ann")
        try await person.fill("Password", with: "password of ann")
        try await person.press("Begin")
        try await person.press("New application")
        try await person.fill("Name", with: "Films", in: "New application")
        try await person.choose("MANUAL", of: "When two change one record", in: "New application")
        try await person.sees("Both versions are kept, and somebody decides", in: "New application")
        try await visit.picture("console-new-application", isDocumentation: isDocumentation(visit))
        try await person.press("Create", in: "New application")
    }

    private func makeModel(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await person.press("New model")
        try await person.fill("Name", with: "film", in: "Model Model1")
        try await person.leaveField()
        try await person.sees("Fields", in: "Model film")
        try await person.press("New field")
        try await person.fill("name", with: "title", in: "Field field1")
        try await person.leaveField()
        try await person.press("required", in: "Field title")
        try await person.press("New field")
        try await person.fill("name", with: "score", in: "Field field1")
        try await person.leaveField()
        try await person.choose("INTEGER", of: "type", in: "Field score")
        for (label, text) in [("from", "1"), ("to", "5"), ("default", "7")] {
            try await person.fill(label, with: text, in: "Field score")
            try await person.leaveField()
        }
        try await person.sees("the default '7' is more than 5", in: "Field score")
        try await visit.picture("console-model", isDocumentation: isDocumentation(visit))
        try await person.fill("default", with: "1", in: "Field score")
        try await person.leaveField()
        try await person.losesSight(of: "is more than 5")
        try await person.press("required", in: "Field score")
        try await person.sees("✓ checked")
    }

    private func deployToTest(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await person.press("Deploy to Test")
        let dialog = "Deploy to test-Films"
        try await person.sees("This is the first deployment: 1 model is new.", in: dialog)
        try await person.sees("the model 'film' is new", in: dialog)
        try await person.press("Deploy", in: dialog)
        try await person.sees("version 2")
        try await person.press("Two phones")
        try await person.press("Add test users a and b")
        try await person.sees("Added a (password of a), b (password of b)")
    }

    private func meetConflict(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        for (phone, login) in [("Phone 1", "a"), ("Phone 2", "b")] {
            try await person.fill("Password", with: "password of \(login)", in: phone)
            try await person.press("Sign in", in: phone)
            try await person.sees("Online, nothing waits", in: "\(phone): \(login)")
        }
        try await person.press("Add record", in: "Phone 1: a")
        try await person.fill("title", with: "Stalker", in: "New record")
        try await person.press("Save", in: "New record")
        try await person.sees("Stalker", in: "Phone 2: b")
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
        try await visit.picture("console-two-phones", isDocumentation: isDocumentation(visit))
    }

    private func resolveConflict(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await person.press("Conflicts (1)")
        try await person.press("mine by b: 5", in: "score")
        try await person.sees("score becomes 5; closes 1 conflict.")
        try await visit.picture("console-conflict", isDocumentation: isDocumentation(visit))
        try await person.press("Resolve")
        try await person.sees("No conflicts")
        try await visit.browser.wait(for: "button('Conflicts', 'Pages')")
        try await person.press("Two phones")
        for phone in ["Phone 1: a", "Phone 2: b"] {
            try await person.sees("in sync", in: phone)
            try await person.sees("5", in: phone)
        }
    }

    /// Nobody types where the library is.
    private func downloadPackage(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await person.press("Create")
        try await person.press("Download")
        try await person.fill("Model prefix", with: "MMD")
        try await person.fill("Class prefix", with: "MD")
        let library = try await visit.browser.wait(for: "field('Library', null).value").text
        try await visit.watchSavedFiles()
        try await person.press("Download the package")
        let files = try unzipped(try await visit.savedFile())
        let sources = "Films/Sources/FilmsApp"
        #expect(files["Films/Package.swift"]?.contains(library) == true, "\(files)")
        #expect(files["\(sources)/application.xml"]?.contains(#"<model name="film""#) == true)
        let app = try #require(files["\(sources)/App.swift"])
        #expect(app.contains("struct MDApp") && app.contains("MMDFilm.self"), "\(app)")
    }
}

extension ConsoleVisit {
    /// Keeps what the page saves from now on.
    func watchSavedFiles() async throws {
        try await browser.script(
            """
            const real = URL.createObjectURL
            URL.createObjectURL = (file) => {
              globalThis.savedFile = file
              return real(file)
            }
            """)
    }

    /// The bytes of the file that the page has saved.
    func savedFile() async throws -> Data {
        try await browser.wait(for: "globalThis.savedFile !== undefined")
        let text = try await browser.script(
            """
            const bytes = new Uint8Array(await savedFile.arrayBuffer())
            return btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(''))
            """)
        return try #require(text.string.flatMap { Data(base64Encoded: $0) })
    }
}
