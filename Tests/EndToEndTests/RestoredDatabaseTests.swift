import Foundation
import JSON
import SyncProtocol
import Testing
import Waggle

@testable import KilledDevice

/// With the tools of the database: nothing tells it.
@Suite("A restored copy is told from its future", .timeLimit(.minutes(10)))
struct RestoredDatabaseTests {
    private let model = "PermissionsEntity"

    private func title(_ text: String) -> ChangeMessage {
        .create(fresh(), of: model, ["title": .string(text)])
    }

    /// Stops the server, copies its data, and goes on with the original.
    private func backup(
        _ site: Site, _ server: RunningServer
    ) async throws -> (SiteDatabase, TemporaryFolder, RunningServer) {
        #expect(await server.stop() == 0)
        let folder = try TemporaryFolder()
        let copy = try site.copyOfData(in: folder)
        return (copy, folder, try await RunningServer(site: site))
    }

    /// The position at which a new listener begins.
    private func listening(_ client: Client) async throws -> String {
        let stream = try await LiveConnection(client)
        defer { stream.close() }
        return try #require(try await stream.event()?.id)
    }

    @Test func cursorsOfLostFutureAreForeign() async throws {
        let site = try await Site.withFiles()
        var server = try await RunningServer(site: site)
        try await server.client("a").push(title("before"))
        let early = try await server.client("a").everythingSeen()
        let (copy, folder, original) = try await backup(site, server)
        let sameEpoch = try await original.client("a").sync(cursor: early)
        #expect(sameEpoch.resync != true && sameEpoch.records.isEmpty)
        var late: [String] = []
        for number in 0..<3 {
            try await original.client("a").push(title("lost \(number)"))
            late.append(try await original.client("a").everythingSeen())
        }
        try await original.client("a").notify(#"{"id": "1", "notification": {}}"#)
        let heard = try await listening(original.client("a"))
        #expect(await original.stop() == 0)

        server = try await RunningServer(site: site.keeping(in: copy))
        // As many changes as were lost, so that the numbers are there again.
        for number in 0..<5 { try await server.client("b").push(title("new \(number)")) }
        let a = try server.client("a")
        for cursor in late {
            let answer = try await a.ask(SyncRequest(cursor: cursor))
            #expect(try answer.status == 409 && answer.error().code == "cursorForeign")
        }
        let news = try await a.sync(cursor: early)
        #expect(news.resync != true && news.records.count == 5)
        #expect(try await a.records().count == 6)
        try await a.notify(#"{"id": "2", "notification": {}}"#)
        #expect(try await LiveConnection(a, after: heard).status == 409)
        let before = try await listening(a)
        #expect(try await LiveConnection(a, after: before).status == 200)
        withExtendedLifetime(folder) {}
    }

    @Test func deviceStartsOverAndNothingIsLostOrDoubled() async throws {
        let site = try await Site.withFiles()
        var server = try await RunningServer(site: site)
        let proxy = try CuttingProxy(to: server.port)
        let device = try await device(in: site, proxy)
        try await device.save(PermissionsEntity(title: "before"))
        try await device.sync()
        let (copy, folder, original) = try await backup(site, server)
        proxy.goOn(to: original.port)
        try await device.save(PermissionsEntity(title: "lost"))
        try await device.sync()
        // Decided in the lost future, and not yet known to the device.
        proxy.cut(at: .answer(afterBytes: 0))
        try await device.save(PermissionsEntity(title: "unsent"))
        await #expect(throws: SyncFailure.self) { try await device.sync() }
        #expect(await original.stop() == 0)

        server = try await RunningServer(site: site.keeping(in: copy))
        for number in 0..<4 { try await server.client("b").push(title("new \(number)")) }
        proxy.cut(at: nil)
        proxy.goOn(to: server.port)
        for _ in 0..<2 { try await device.sync() }
        let titles = try await device.list(PermissionsEntity.self).map(\.title).sorted()
        let expected = ["before", "new 0", "new 1", "new 2", "new 3", "unsent"]
        #expect(titles == expected)
        let stored = try await server.client("b").records().compactMap { record in
            if case .string(let title)? = record.fields?["title"] { title } else { nil }
        }
        #expect(stored.sorted() == expected)
        withExtendedLifetime(folder) {}
    }
}
