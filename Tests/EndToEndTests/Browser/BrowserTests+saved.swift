import Foundation
import JSON
import SyncProtocol
import Testing

/// The console saves files, and takes data away from devices.
extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func dataOfPersonIsSaved(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            _ = try await visit.server.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await visit.open("users")
            try await visit.person.press("Account of a")
            let lines = try await visit.download("Download their data", to: "a.jsonl")
            #expect(String(decoding: lines, as: UTF8.self).contains("Ivan"))
        }
    }

    /// From the panel of its record, and from the list of files.
    @Test(arguments: Person.Hand.allCases)
    func fileOfRecordIsShownAndSaved(hand: Person.Hand) async throws {
        let server = try await RunningServer(site: try await Site.withFiles(), processes: 1)
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let (person, client) = (visit.person, try server.client("a"))
            let (guid, record) = (fresh(), fresh())
            let pixel = try #require(Data(base64Encoded: onePixel))
            #expect(try await client.put(guid, pixel).status == 201)
            try await client.attach(guid, to: record)
            try await visit.browser.open(
                "/console/in/test/records?model=PermissionsEntity&guid=\(record)")
            #expect(try await visit.download("a poster.jpg", to: "a poster.jpg") == pixel)
            try await visit.open("files")
            try await person.press("Show \(guid)")
            try await visit.browser.wait(for: "document.querySelector('img.preview')")
            try await person.press("Close", in: "File")
            #expect(try await visit.download("Download", to: guid) == pixel)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func pushTokenIsDeleted(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            let put = try await visit.server.client("a").call(
                "PUT", "pushTokens/apns", #"{"token":"a secret token"}"#)
            #expect(put.status == 200, "\(put.text)")
            try await visit.open("devices")
            try await person.sees("▲ no delivery", in: "Push tokens")
            try await person.press("Delete the token of phone")
            try await person.press("Delete", in: "Delete this push token?")
            try await person.sees("No device has registered a push token.")
        }
    }
}

extension ConsoleVisit {
    /// The bytes of the file of this name that the browser has when a link is pressed.
    fileprivate func download(_ link: String, to name: String) async throws -> Data {
        let folder = try TemporaryFolder()
        try await browser.chromeOfContext(
            "Browser.setDownloadBehavior",
            ["behavior": "allow", "downloadPath": .string(folder.path)])
        try await person.press(link)
        // The file gets its name when it is whole.
        _ = try await asked(
            {
                try await browser.script("return null")
                return FileManager.default.fileExists(atPath: folder.path(name))
            }, until: { $0 })
        return try folder.bytes(of: name)
    }
}
