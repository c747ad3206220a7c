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

    /// They hold decimals as binary numbers of 64 bits.
    @Test(arguments: [
        ("android-sdk-1.7.1", "12345678901234568"), ("ios-sdk-1.1.0", "12345678901234568.000"),
    ])
    func decimalThatClientHoldsLessExactlyIsKept(
        library: String, written: String
    ) async throws {
        let server = try await RunningServer(
            definition: "Conflicts", changing: OriginalFidelityTests.definition)
        let (native, guid) = (try server.client("a"), fresh())
        let phone = try OriginalClient("b", of: server).with { $0.library = library }
        let tablet = try OriginalClient("b", on: "tablet", of: server)
        func line(_ text: String, _ decimal: String) -> OriginalLine {
            OriginalLine(
                guid, of: "thing", ["text": .string(text), "decimal": .string(decimal)])
        }
        try await native.push(
            .create(guid, of: "thing", ["text": "a", "decimal": "12345678901234567.123"]))
        #expect(try await phone.synchronize().line(guid)["decimal"] == "12345678901234567.123")
        try await tablet.synchronize()
        try await phone.synchronize([line("b", written)])
        let kept = try await native.record(guid).fields
        #expect(kept?["text"] == "b" && kept?["decimal"] == "12345678901234567.123")
        try await phone.synchronize([line("b", "12345678901234570")])
        let edited = try await native.record(guid).fields
        #expect(edited?["decimal"] == "12345678901234570")
        // Others hold every digit.
        try await tablet.synchronize()
        try await tablet.synchronize([line("b", "12345678901234570.1")])
        let exact = try await native.record(guid).fields
        #expect(exact?["decimal"] == "12345678901234570.1")
    }
}
