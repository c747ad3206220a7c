import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Original clients of all platforms sync")
struct OriginalSyncTests {
    private static let model = "ConflictsEntity"

    private func film(_ guid: String, _ title: String?, score: Int = 1) -> OriginalLine {
        OriginalLine(
            guid, of: Self.model,
            ["title": title.map { .string($0) } ?? .null, "score": .string("\(score)")])
    }

    @Test(arguments: OriginalClient.Platform.allCases)
    func changesOnOneWireAreVisibleOnTheOther(platform: OriginalClient.Platform) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server).with { $0.platform = platform }
        let (native, own, theirs) = (try server.client("b"), fresh(), fresh())
        // The server sets the owner.
        let answer = try await client.synchronize([film(own, "Solaris", score: 4)])
        #expect(try answer.line(own).owner == "a" && answer.lines.count == 1)
        let seen = try await native.record(own)
        #expect(seen.fields == ["title": "Solaris", "score": 4] && seen.owner == "a")
        try await native.push(.create(theirs, of: Self.model, ["title": "Stalker"]))
        let line = try await client.synchronize().line(theirs)
        #expect(line["title"] == "Stalker" && line["score"] == "1" && line.owner == "b")
        #expect(line.conflictState == "NO_IN_CONFLICT" && !line.isDeleted)
        try await native.push(.delete(theirs, of: Self.model, from: 1))
        #expect(try await client.synchronize().line(theirs).isDeleted)
    }

    @Test func unconfirmedRecordsAreSentAgain() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (client, guid) = (try OriginalClient("a", of: server), fresh())
        try await server.client("b").push(.create(guid, of: Self.model, ["title": "Mirror"]))
        let first = try await client.send([])
        #expect(try await client.data(of: first).lines.map(\.guid) == [guid])
        #expect(try await client.data(of: first).lines.map(\.guid) == [guid])
        let second = try await client.send([])
        #expect(try await client.data(of: second).lines.map(\.guid) == [guid])
        try await client.confirm(second)
        #expect(try await client.synchronize().lines.isEmpty)
    }

    @Test func everythingComesAgainWhenClientStartsOver() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (client, guid) = (try OriginalClient("a", of: server), fresh())
        try await client.synchronize([film(guid, "Nostalghia")])
        let ticket = try await client.get("POST", "synchronizeAll", body: Data()).text
        #expect(try await client.status(of: ticket) == .finished)
        #expect(try await client.data(of: ticket).line(guid)["title"] == "Nostalghia")
        try await client.confirm(ticket)
        #expect(try await client.synchronize().lines.isEmpty)
    }

    @Test func repeatedPushHasNoSecondEffect() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (client, native, guid) = (
            try OriginalClient("a", of: server), try server.client("b"), fresh()
        )
        let archive = try client.archive([film(guid, "Solaris")])
        _ = try await client.post(archive: archive)
        let revision = try await native.record(guid).revision
        #expect(try await client.post(archive: archive).status == 200)
        #expect(try await native.record(guid).revision == revision)
        #expect(try await native.records().count == 1)
    }

    @Test func lastLineOfRecordCounts() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (client, guid) = (try OriginalClient("a", of: server), fresh())
        try await client.synchronize([film(guid, "one"), film(fresh(), "x"), film(guid, "two")])
        let record = try await server.client("b").record(guid)
        #expect(record.fields?["title"] == "two" && record.revision == 1)
    }

    @Test func ticketOutlivesServer() async throws {
        let first = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        try await first.client("b").push(.create(guid, of: Self.model, ["title": "Andrei"]))
        let ticket = try await OriginalClient("a", of: first).send([])
        await first.crash()
        let second = try await RunningServer(site: first.site)
        let client = try OriginalClient("a", of: second)
        #expect(try await client.status(of: ticket) == .finished)
        #expect(try await client.data(of: ticket).lines.map(\.guid) == [guid])
        try await client.confirm(ticket)
        #expect(try await client.synchronize().lines.isEmpty)
    }

    @Test func ticketIsOfOneUserOnOneDevice() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let ticket = try await client.send([])
        let others = [
            try OriginalClient("b", of: server),
            try OriginalClient("a", on: "tablet", of: server),
        ]
        for other in others {
            for (method, path) in [("GET", "checkStatus"), ("GET", "data"), ("POST", "confirm")] {
                let answer = try await other.ask(method, "\(path)?ticket=\(ticket)", body: nil)
                let error = try OriginalError(answer)
                #expect(error.code == "other" && error.message.contains("no such ticket"))
            }
        }
        let unfetched = try await client.ask("POST", "confirm?ticket=\(ticket)", body: Data())
        #expect(try OriginalError(unfetched).message.contains("was not fetched yet"))
    }

    /// Such as one that the client takes for lost, and its repeat.
    @Test func twoSyncsOfOneDeviceBothComeToAnEnd() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (client, native) = (try OriginalClient("a", of: server), try server.client("b"))
        let guids = (fresh(), fresh())
        try await native.push(.create(guids.0, of: Self.model, ["title": "Mirror"]))
        let first = try await client.send([])
        #expect(try await client.data(of: first).lines.map(\.guid) == [guids.0])
        try await native.push(.create(guids.1, of: Self.model, ["title": "Stalker"]))
        let second = try await client.send([])
        let delivery = try await client.data(of: second)
        #expect(Set(delivery.lines.map(\.guid)) == [guids.0, guids.1])
        for ticket in [first, second] {
            #expect(try await client.status(of: ticket) == .finished)
        }
        try await client.confirm(second)
        // The first one ends later, and takes nothing back.
        #expect(try await client.data(of: first).lines.map(\.guid) == [])
        try await client.confirm(first)
        #expect(try await client.synchronize().lines.isEmpty)
    }

    @Test func uploadsAtTheSameTimeAreAllTakenIn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let lines = (0..<4).map { film(fresh(), "\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for line in lines {
                group.addTask { _ = try await client.send([line]) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await client.synchronize().lines.map(\.guid)) == Set(lines.map(\.guid)))
    }

    @Test func devicesOfOneUserAndUsersOfOneDeviceHaveEachTheirOwnState() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let phone = try OriginalClient("a", of: server)
        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let sharedPhone = try OriginalClient("b", of: server)
        try await phone.synchronize([film(guid, "Ivan")])
        #expect(try await tablet.synchronize().line(guid)["title"] == "Ivan")
        #expect(try await sharedPhone.synchronize().line(guid)["title"] == "Ivan")
        try await tablet.synchronize([film(guid, "Ivan's childhood")])
        #expect(try await phone.synchronize().line(guid)["title"] == "Ivan's childhood")
        #expect(try await sharedPhone.synchronize().line(guid)["title"] == "Ivan's childhood")
        #expect(try await tablet.synchronize().lines.isEmpty)
    }

    @Test func recordsMayComeInAnyOrder() async throws {
        let server = try await RunningServer(definition: "FieldService")
        let client = try OriginalClient("dora", of: server).with { $0.deviceCategory = "office" }
        let (customer, site) = (fresh(), fresh())
        try await client.synchronize([
            OriginalLine(
                site, of: "site",
                ["customer": .string(customer), "name": "Depot", "address": "Main Road 1"]),
            OriginalLine(customer, of: "customer", ["name": "Acme", "phone": "123"]),
        ])
        let records = try await server.client("dora", on: "office").records()
        #expect(Set(records.map(\.guid)) == [customer, site])
    }

    @Test(.withAFile) func nothingIsLeftOfArchives() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        try await client.synchronize([film(fresh(), "Solaris")])
        _ = try await client.post(archive: [1, 2, 3])
        await server.stop()
        let folder = server.site.database + ".transfers"
        let left = "\(folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: left, withIntermediateDirectories: true)
        let next = try await RunningServer(site: server.site)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        try await OriginalClient("a", of: next).synchronize()
    }
}
