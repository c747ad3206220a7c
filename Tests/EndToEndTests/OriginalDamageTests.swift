import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite(
    "A full disk makes original clients retry, and loses nothing",
    .withAFile)
struct OriginalDamageTests {
    private static let model = "Occasion"
    private let limitKiB = 512

    private func occasion(
        _ guid: String, details: String = "", picture: String? = nil
    ) -> OriginalLine {
        OriginalLine(
            guid, of: Self.model,
            [
                "kind": "holiday", "name": "Spring", "date": "1767225600000",
                "details": .string(details), "link": .null,
                "picture": picture.map {
                    .object(["guid": .string($0), "filename": "a.png"])
                } ?? .null,
            ])
    }

    /// The data that exceeds the limit, by the file that would contain it.
    enum Sending: CaseIterable {
        /// The archive itself.
        case packed
        /// Records, which are small when compressed.
        case records
        /// A picture, which is small when compressed.
        case picture
    }

    private struct Sent {
        var lines: [OriginalLine] = []
        var files: [String: [UInt8]] = [:]
        var platform = OriginalClient.Platform.java
    }

    private func sent(_ sending: Sending) -> Sent {
        let (guid, picture, count) = (fresh(), fresh(), limitKiB * 3 << 9)
        let plain = occasion(guid, picture: picture)
        return switch sending {
        case .packed:
            Sent(
                lines: [plain], files: [picture: [UInt8](repeating: 7, count: count)],
                platform: .windows)
        case .picture:
            Sent(lines: [plain], files: [picture: [UInt8](repeating: 7, count: count)])
        case .records:
            Sent(
                lines: (0...count / 4000).map { _ in
                    occasion(fresh(), details: String(repeating: "gift", count: 1000))
                })
        }
    }

    @Test(arguments: Sending.allCases)
    func uploadRefusedOnFullDiskSucceedsLater(sending: Sending) async throws {
        let sent = sent(sending)
        let (before, beforePicture) = (fresh(), fresh())
        let site = try await Site(prepared: "Dates")
        var server = try await RunningServer(site: site, under: limited(toKiB: limitKiB))
        var client = try OriginalClient("a", of: server).with { $0.platform = sent.platform }
        try await client.synchronize(
            [occasion(before, picture: beforePicture)], files: [beforePicture: [1, 2, 3]])
        let archive = try client.archive(sent.lines, files: sent.files)
        let answer = try await client.post(archive: archive)
        #expect(answer.status == 507, "\(answer.status) \(answer.text)")
        // Earlier records can still be synced. A record is stored before its picture.
        let stored = sending == .picture ? sent.lines.map(\.guid) : []
        #expect(try await client.synchronize().lines.map(\.guid) == stored)
        #expect(try server.log().contains("the disk is full, or a quota"))
        #expect(await server.stop() == 0)

        server = try await RunningServer(site: site)
        client = try OriginalClient("a", of: server).with { $0.platform = sent.platform }
        #expect(
            try await client.status(of: try await client.post(archive: archive).text) == .finished)
        let all = try await OriginalClient("a", on: "tablet", of: server).synchronize()
        #expect(Set(all.lines.map(\.guid)) == Set([before] + sent.lines.map(\.guid)))
        #expect(all.files == sent.files.merging([beforePicture: [1, 2, 3]]) { $1 })
        #expect(try await site.sql("PRAGMA integrity_check") == "ok")
    }

    @Test func deliveryFailingOnFullDiskSucceedsLater() async throws {
        let sent = sent(.records)
        let site = try await Site(prepared: "Dates")
        var server = try await RunningServer(site: site)
        try await OriginalClient("a", of: server).synchronize(sent.lines)
        #expect(await server.stop() == 0)

        server = try await RunningServer(site: site, under: limited(toKiB: limitKiB))
        var tablet = try OriginalClient("a", on: "tablet", of: server)
        let ticket = try await tablet.send([])
        let answer = try await tablet.ask("GET", "data?ticket=\(ticket)")
        #expect(answer.status == 507, "\(answer.status) \(answer.text)")
        // There is no room for cleaning up either.
        #expect(await server.stop() == 3)

        server = try await RunningServer(site: site)
        tablet = try OriginalClient("a", on: "tablet", of: server)
        #expect(try await tablet.data(of: ticket).lines.count == sent.lines.count)
        try await tablet.confirm(ticket)
    }
}
