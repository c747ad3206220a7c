import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Files come and go in the archives of original clients")
struct OriginalFileTests {
    private static let model = "Occasion"

    private func occasion(_ guid: String, picture: String?) -> OriginalLine {
        OriginalLine(
            guid, of: Self.model,
            [
                "kind": "holiday", "name": "Spring", "date": "1767225600000", "details": .null,
                "link": .null,
                "picture": picture.map {
                    .object(["guid": .string($0), "filename": "a \"b\" ż.png"])
                } ?? .null,
            ])
    }

    private let bytes: [UInt8] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    @Test(arguments: OriginalClient.Platform.allCases)
    func aPictureComesToTheOtherDeviceAndToTheOtherWire(
        platform: OriginalClient.Platform
    ) async throws {
        let server = try await RunningServer(definition: "Dates")
        let phone = try OriginalClient("a", of: server).with { $0.platform = platform }
        let (guid, file) = (fresh(), fresh())
        try await phone.synchronize([occasion(guid, picture: file)], files: [file: bytes])
        let native = try server.client("a")
        #expect(try await native.get(file).body == Data(bytes))
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let delivery = try await tablet.synchronize()
        #expect(delivery.files == [file: bytes])
        let value = try JSONDecoder().decode(
            [String: String].self, from: Data((try delivery.line(guid)["picture"] ?? "").utf8))
        #expect(value == ["guid": file, "filename": "a \"b\" ż.png"])
        #expect(try await OriginalClient("b", of: server).synchronize().lines.isEmpty)
    }

    @Test func filesUploadedOnTheNativeWireAreDelivered() async throws {
        let server = try await RunningServer(definition: "Dates")
        let (native, guid, file) = (try server.client("a"), fresh(), fresh())
        #expect(try await native.put(file, Data(bytes)).status == 201)
        try await native.push(
            .create(
                guid, of: Self.model,
                [
                    "kind": "holiday", "name": "Spring", "date": 1_767_225_600_000,
                    "picture": .object(["guid": .string(file), "filename": "a.png"]),
                ]))
        #expect(try await OriginalClient("a", of: server).synchronize().files == [file: bytes])
    }

    @Test func aFileThatCannotBeTakenInKeepsItsRecordOut() async throws {
        let server = try await RunningServer(
            definition: "Dates", arguments: "--max-file-bytes", "1000")
        let client = try OriginalClient("a", of: server)
        let (guid, other, file) = (fresh(), fresh(), fresh())
        let ticket = try await client.send(
            [occasion(guid, picture: file), occasion(other, picture: nil)], files: [file: bytes])
        let status = try await client.status(of: ticket)
        #expect(status.status == "REJECTED" && status.message.contains("file \(file)"))
        #expect(status.message.contains("larger than 1000 bytes"))
        #expect(try await server.client("a").records().map(\.guid) == [other])
    }

    @Test func sendingAFileAgainIsNoMistakeAndOtherContentsAre() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        for _ in 0..<2 {
            try await client.synchronize([occasion(guid, picture: file)], files: [file: bytes])
        }
        let ticket = try await client.send([occasion(guid, picture: file)], files: [file: [1]])
        #expect(try await client.status(of: ticket).message.contains("other contents"))
        #expect(try await server.client("a").get(file).body == Data(bytes))
    }
}
