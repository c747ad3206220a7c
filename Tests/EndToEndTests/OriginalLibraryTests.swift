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

    /// It takes dates for seconds, of 32 bits.
    @Test func datesOfClientForIOSAreSeconds() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", changing: OriginalFidelityTests.definition)
        let (native, guid, late) = (try server.client("a"), fresh(), fresh())
        let phone = try OriginalClient("b", of: server).with { $0.library = "ios-sdk-1.1.0" }
        func line(_ guid: String, _ text: String, _ date: String) -> OriginalLine {
            OriginalLine(guid, of: "thing", ["text": .string(text), "date": .string(date)])
        }
        try await native.push(
            .create(guid, of: "thing", ["text": "a", "date": 1_795_795_200_123]))
        // After January 2038.
        try await native.push(
            .create(late, of: "thing", ["text": "a", "date": 4_000_000_000_000]))
        let told = try await phone.synchronize()
        #expect(try told.line(guid)["date"] == "1795795200")
        #expect(try told.line(late)["date"] == "2147483647")
        try await phone.synchronize([
            line(guid, "b", "1795795200"), line(late, "b", "2147483647"),
        ])
        let kept = try await native.record(guid).fields
        #expect(kept?["text"] == "b" && kept?["date"] == 1_795_795_200_123)
        #expect(try await native.record(late).fields?["date"] == 4_000_000_000_000)
        let answer = try await phone.synchronize([line(guid, "b", "1795795260")])
        #expect(try answer.line(guid)["date"] == "1795795260")
        #expect(try await native.record(guid).fields?["date"] == 1_795_795_260_000)
        let tablet = try OriginalClient("b", on: "tablet", of: server)
        #expect(try await tablet.synchronize().line(guid)["date"] == "1795795260000")
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
