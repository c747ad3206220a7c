import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("The libraries of original clients differ in how they write values")
struct OriginalLibraryTests {
    /// The client for iOS leaves out a file that its user has removed. Others send every field.
    @Test func fileThatClientForIOSLeavesOutIsRemoved() async throws {
        let server = try await RunningServer(definition: "Dates")
        let phone = try OriginalClient("a", of: server).with {
            $0.platform = .apple
            $0.library = "ios-sdk-1.1.0"
        }
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let (native, guid, file) = (try server.client("a"), fresh(), fresh())
        let picture: JSONValue = .object(["guid": .string(file), "filename": "a.png"])
        let plain = OriginalLine(
            guid, of: "Occasion",
            ["kind": "holiday", "name": "Spring", "date": "1767225600000"])
        let line = plain.with { $0.fields["picture"] = picture }
        try await phone.synchronize([line], files: [file: [1]])
        try await tablet.synchronize()
        try await tablet.synchronize([plain])
        #expect(try await native.record(guid).fields?["picture"] == picture)
        let answer = try await phone.synchronize([plain])
        #expect(try answer.line(guid)["picture"] == nil && answer.deletedFiles == [file])
        #expect(try await native.record(guid).fields?["picture"] == .null)
        #expect(try await tablet.synchronize().deletedFiles == [file])
        #expect(try await server.site.refusals() == [])
    }
}
