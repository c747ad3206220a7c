import Foundation
import Testing

/// Files of the draft beside a package, and versions under names.
extension BrowserTests {
    /// The models alone, in both languages, and the definition.
    @Test(arguments: Person.Hand.allCases)
    func modelsAreDownloaded(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "download")
            try await person.fill("Model prefix", with: "MMD")
            try await visit.watchSavedFiles()
            try await person.press("Download the models")
            let swift = try unzipped(try await visit.savedFile())
            #expect(swift.values.contains { $0.contains("MMDConflictsEntity") }, "\(swift.keys)")

            try await browser.script("globalThis.savedFile = undefined")
            try await person.choose("TypeScript", of: "Language")
            try await person.press("Download the models")
            let other = try unzipped(try await visit.savedFile())
            #expect(other.keys.contains { $0.hasSuffix(".ts") }, "\(other.keys)")

            try await browser.script("globalThis.savedFile = undefined")
            try await person.press("Download application.xml")
            let text = String(decoding: try await visit.savedFile(), as: UTF8.self)
            let original = try definition("Conflicts")
            #expect(text == original)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func versionIsLabelled(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.browser.open("/console/versions")
            try await person.press("Label version 1")
            try await person.fill("Tag", with: "spring", in: "Version 1")
            try await person.fill("Note", with: "as it was in spring", in: "Version 1")
            try await person.press("Save", in: "Version 1")
            try await person.sees("as it was in spring", in: "Versions")
            let answer = try await visit.server.admin(
                "GET", "versions", as: try await visit.server.adminSession("ann"))
            #expect(answer.text.contains(#""tag":"spring""#), "\(answer.text)")
        }
    }
}
