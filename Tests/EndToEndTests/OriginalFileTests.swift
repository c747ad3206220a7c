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
    func pictureComesToTheOtherDeviceAndToTheOtherWire(
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

    /// The archive has more files than are unpacked together.
    @Test func manyFilesOfOneArchiveAreTakenIn() async throws {
        let server = try await RunningServer(definition: "Dates")
        let files = Dictionary(
            uniqueKeysWithValues: (0..<70).map { (fresh(), [UInt8($0)]) })
        try await OriginalClient("a", of: server).synchronize(
            files.keys.sorted().map { occasion(fresh(), picture: $0) }, files: files)
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        #expect(try await tablet.synchronize().files == files)
    }

    @Test func filesUploadedOnNativeWireAreDelivered() async throws {
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

    /// The record names it, and its contents come with the next edit that the server can take.
    @Test func fileThatCannotBeTakenInIsListed() async throws {
        let server = try await RunningServer(
            definition: "Dates", arguments: "--max-file-bytes", "1000")
        let client = try OriginalClient("a", of: server)
        let (guid, other, file) = (fresh(), fresh(), fresh())
        try await client.synchronize(
            [occasion(guid, picture: file), occasion(other, picture: nil)], files: [file: bytes])
        let refusal = try #require(try await server.site.refusals().first)
        #expect(refusal.guid == guid && refusal.content == #"{"file":"\#(file)"}"#)
        #expect(refusal.causes[0].code == "fileTooLarge")
        #expect(refusal.causes[0].message.contains("larger than 1000 bytes"))
        #expect(try await server.site.saved(refusal) == bytes)
        let records = try await server.client("a").records()
        #expect(Set(records.map(\.guid)) == [guid, other])
        #expect(try await server.client("a").get(file).status == 404)
        try await client.synchronize([occasion(guid, picture: file)], files: [file: [1]])
        #expect(try await server.client("a").get(file).body == Data([1]))
    }

    @Test func sendingFileAgainIsNoMistakeAndOtherContentsAre() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        for _ in 0..<2 {
            try await client.synchronize([occasion(guid, picture: file)], files: [file: bytes])
        }
        try await client.synchronize([occasion(guid, picture: file)], files: [file: [1]])
        let refusal = try #require(try await server.site.refusals().first)
        #expect(refusal.causes[0].code == "fileExists")
        #expect(try await server.site.saved(refusal) == [1])
        #expect(try await server.client("a").get(file).body == Data(bytes))
    }

    /// As long as its entry, whatever is swept.
    @Test func fileOfRefusedRecordIsKept() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        let line = occasion(guid, picture: file).with { $0.fields["name"] = .null }
        for _ in 0..<2 {
            let answer = try await client.synchronize([line], files: [file: bytes])
            #expect(answer.lines.isEmpty)
        }
        let refusals = try await server.site.refusals()
        #expect(refusals.map(\.guid) == [guid, guid] && refusals[0].contents == nil)
        #expect(refusals[1].causes[0].code == "valueRefused")
        let swept = try await server.site.waggle("sweep", "--keep-loose-file-days", "0")
        #expect(swept.exitCode == 0)
        #expect(try await server.site.saved(refusals[1]) == bytes)
        let removed = try await server.site.waggle(
            "refused", "remove", "\(refusals[0].number)", "\(refusals[1].number)")
        #expect(removed.exitCode == 0)
        let later = try await server.site.waggle("sweep", "--keep-loose-file-days", "0")
        #expect(later.errors.contains("removed contents: 1"))
    }

    /// A client sends a file once it is made, and its form may be saved later.
    @Test func fileMayComeBeforeItsRecord() async throws {
        let server = try await RunningServer(definition: "Dates")
        let phone = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        try await phone.synchronize(files: [file: bytes])
        #expect(try await server.site.refusals() == [])
        let own = try await phone.synchronize([occasion(guid, picture: file)])
        #expect(own.lines.map(\.guid) == [guid] && own.files.isEmpty)
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        #expect(try await tablet.synchronize().files == [file: bytes])
        let cleared = try await phone.synchronize([occasion(guid, picture: nil)])
        #expect(cleared.deletedFiles == [file])
        #expect(try await tablet.synchronize().deletedFiles == [file])
    }

    @Test func filesOfIllegibleDataAreKept() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        let (first, second) = (fresh(), fresh())
        let unknown = occasion(fresh(), picture: first).with { $0.model = "Nothing" }
        let broken = occasion(fresh(), picture: nil).with { $0.fields["picture"] = .string(second) }
        let files: [String: [UInt8]] = [first: [1], second: [2, 2]]
        try await client.synchronize([unknown, broken], files: files)
        let kept = try await server.site.refusals().filter { $0.contents != nil }
        #expect(kept.count == 2 && kept.allSatisfy { $0.causes[0].code == "valueRefused" })
        for (guid, contents) in files {
            let refusal = try #require(kept.first { $0.content == #"{"file":"\#(guid)"}"# })
            #expect(try await server.site.saved(refusal) == contents)
        }
    }

    @Test func archiveOfFileWithoutGuidIsKept() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        try await client.synchronize(files: ["a.png": [1]])
        let refusals = try await server.site.refusals()
        #expect(refusals.map(\.content) == [#"{"archive":true}"#])
        let message = try #require(refusals.first?.causes.first?.message)
        #expect(message.contains("the file 'a.png' is not named by a guid"))
    }

    @Test func filesOfPhoneAreNotStoppedByLooseOnes() async throws {
        let server = try await RunningServer(
            definition: "Dates", arguments: "--max-loose-file-bytes", "\(bytes.count)")
        let (native, loose) = (try server.client("a"), fresh())
        #expect(try await native.put(loose, Data(bytes)).status == 201)
        let client = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        try await client.synchronize([occasion(guid, picture: file)], files: [file: [1, 2]])
        #expect(try await native.get(file).body == Data([1, 2]))
        #expect(try await server.site.refusals() == [])
    }

    /// Mobile data is dear.
    @Test func contentsAreSentToDeviceOnce() async throws {
        let server = try await RunningServer(definition: "Dates")
        let phone = try OriginalClient("a", of: server)
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let (guid, file) = (fresh(), fresh())
        let line = occasion(guid, picture: file)
        let own = try await phone.synchronize([line], files: [file: bytes])
        #expect(own.lines.map(\.guid) == [guid] && own.files.isEmpty)
        // Not confirmed.
        let ticket = try await tablet.send([])
        #expect(try await tablet.data(of: ticket).files == [file: bytes])
        #expect(try await tablet.synchronize().files == [file: bytes])
        let summer = line.with { $0.fields["name"] = "Summer" }
        let edited = try await tablet.synchronize([summer], files: [file: bytes])
        #expect(edited.lines.map(\.guid) == [guid] && edited.files.isEmpty)
        let told = try await phone.synchronize()
        #expect(try told.line(guid)["name"] == "Summer" && told.files.isEmpty)
        let all = try await phone.get("POST", "synchronizeAll", body: Data()).text
        #expect(try await phone.data(of: all).files == [file: bytes])
    }

    @Test func filesThatNoRecordNamesAreDeletedOnDevices() async throws {
        let server = try await RunningServer(definition: "Dates")
        let phone = try OriginalClient("a", of: server)
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let (guid, other, first, second) = (fresh(), fresh(), fresh(), fresh())
        try await phone.synchronize(
            [occasion(guid, picture: first), occasion(other, picture: second)],
            files: [first: bytes, second: [2]])
        #expect(try await tablet.synchronize().files == [first: bytes, second: [2]])
        try await phone.synchronize([occasion(guid, picture: second)], files: [second: [2]])
        // Not confirmed.
        let ticket = try await tablet.send([])
        #expect(try await tablet.data(of: ticket).deletedFiles == [first])
        let answer = try await tablet.synchronize()
        #expect(answer.deletedFiles == [first])
        #expect(try await tablet.synchronize().deletedFiles.isEmpty)
        try await phone.synchronize([occasion(guid, picture: nil).with { $0.isDeleted = true }])
        #expect(try await tablet.synchronize().deletedFiles.isEmpty, "another record names it")
        try await phone.synchronize([occasion(other, picture: nil).with { $0.isDeleted = true }])
        #expect(try await tablet.synchronize().deletedFiles == [second])
    }

    /// A file that is larger than the limit comes alone.
    @Test func filesBeyondTheLimitComeLater() async throws {
        let server = try await RunningServer(
            definition: "Dates", arguments: "--max-delivered-file-bytes", "100")
        let phone = try OriginalClient("a", of: server)
        let sizes = [60, 60, 40, 200_000]
        let records = sizes.map { _ in (guid: fresh(), file: fresh()) }
        let files = zip(records, sizes).map { ($0.file, Array(bytes.prefix($1))) }
        // Each in a sync of its own, so that they come in this order.
        for (record, file) in zip(records, files) {
            try await phone.synchronize(
                [occasion(record.guid, picture: record.file)], files: [file.0: file.1])
        }
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let first = try await tablet.synchronize()
        #expect(Set(first.lines.map(\.guid)) == Set(records.map(\.guid)))
        // The clients for iOS and Android cannot read a file without contents.
        for (guid, file) in records {
            let isThere = first.files[file] != nil
            #expect(try (first.line(guid)["picture"] != nil) == isThere)
        }
        var deliveries = [first.files]
        while let last = deliveries.last, !last.isEmpty, deliveries.count < 9 {
            let next = try await tablet.synchronize()
            deliveries.append(next.files)
            let named = next.lines.filter { $0["picture"] != nil }.map(\.guid)
            let arrived = records.filter { next.files[$0.file] != nil }.map(\.guid)
            #expect(next.lines.count == named.count && Set(named) == Set(arrived))
        }
        #expect(deliveries.allSatisfy { $0.count == 1 || Self.bytes(of: $0) <= 100 })
        #expect(deliveries.flatMap { $0.keys }.count == files.count)
        let received = deliveries.reduce(into: [String: [UInt8]]()) { all, files in
            all.merge(files) { first, _ in first }
        }
        #expect(received == Dictionary(uniqueKeysWithValues: files))
    }

    private static func bytes(of files: [String: [UInt8]]) -> Int {
        files.values.reduce(0) { $0 + $1.count }
    }

    /// Each line names a file, and a record that does not come to be.
    @Test func filesOfRefusedRecordsAreNotNoted() async throws {
        let server = try await RunningServer(definition: "Dates")
        let phone = try OriginalClient("a", of: server)
        for _ in 0..<2 {
            try await phone.synchronize(
                (0..<20).map { _ in
                    occasion(fresh(), picture: fresh()).with { $0.fields["kind"] = .null }
                })
        }
        let noted = "SELECT count(*) FROM device_files"
        #expect(try await server.site.sql(noted) == "0")
        try await phone.synchronize([occasion(fresh(), picture: fresh())])
        #expect(try await server.site.sql(noted) == "1")
    }

    /// The server gets the request and the end of the connection at once.
    @Test func closedConnectionEndsItsDelivery() async throws {
        let server = try await RunningServer(definition: "Dates", processes: 1)
        let (phone, guid, file) = (try OriginalClient("a", of: server), fresh(), fresh())
        try await phone.synchronize([occasion(guid, picture: file)], files: [file: bytes])
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let ticket = try await tablet.send([])
        let headers = tablet.headers.map { "\($0): \($1)\r\n" }.joined()
        func delivered() throws -> Int { try server.log().matches(of: /sync.v2.data/).count }
        let before = try delivered()
        let connection = try RawConnection(port: server.port)
        server.send(SIGSTOP)
        connection.send(
            "GET /sync/v2/data?ticket=\(ticket) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n")
        connection.close()
        server.send(SIGCONT)
        #expect(await connection.receiveAll() == "")
        _ = try await asked({ try delivered() }, until: { $0 > before })
        let sent = try await server.site.sql(
            "SELECT count(*) FROM device_files WHERE ticket = '\(ticket)'")
        #expect(sent == "0")
        #expect(try await tablet.data(of: ticket).files == [file: bytes])
        guard server.site.isOfFile else { return }
        let folder = server.site.database + ".transfers"
        _ = try await asked(
            { try FileManager.default.contentsOfDirectory(atPath: folder) }, until: \.isEmpty)
    }

    @Test func contentsThatComeAfterTheirRecordAreSentThen() async throws {
        let server = try await RunningServer(definition: "Dates")
        let (native, guid, file) = (try server.client("a"), fresh(), fresh())
        let phone = try OriginalClient("a", of: server)
        try await native.push(
            .create(
                guid, of: Self.model,
                [
                    "kind": "holiday", "name": "Spring", "date": 1_767_225_600_000,
                    "picture": .object(["guid": .string(file), "filename": "a.png"]),
                ]))
        let before = try await phone.synchronize()
        #expect(before.lines.map(\.guid) == [guid] && before.files.isEmpty)
        #expect(try before.line(guid)["picture"] == nil)
        // The phone does not know of the picture, and does not remove it.
        let summer = occasion(guid, picture: nil).with { $0.fields["name"] = "Summer" }
        let edited = try await phone.synchronize([summer])
        #expect(try edited.line(guid)["name"] == "Summer" && edited.files.isEmpty)
        let record = try await native.record(guid)
        #expect(record.fields?["name"] == "Summer")
        #expect(record.fields?["picture"] == .object(["guid": .string(file), "filename": "a.png"]))
        #expect(try await native.put(file, Data(bytes)).status == 201)
        // Not confirmed.
        let ticket = try await phone.send([])
        #expect(try await phone.data(of: ticket).files == [file: bytes])
        let after = try await phone.synchronize()
        #expect(try after.line(guid)["picture"] != nil && after.files == [file: bytes])
        let last = try await phone.synchronize()
        #expect(last.lines.isEmpty && last.files.isEmpty)
        // Now it does.
        try await phone.synchronize([summer])
        #expect(try await native.record(guid).fields?["picture"] == .null)
    }
}
