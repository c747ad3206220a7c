import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// A client's copy of the server's records, by guid.
private struct Replica {
    var records: [String: RecordMessage] = [:]
    var cursor: String?

    mutating func store(_ page: SyncResponse) {
        for record in page.records {
            records[record.guid] = record.deleted && !record.conflicted ? nil : record
        }
        cursor = page.cursor
    }
}

/// A client that keeps writing while others read.
private struct Writer {
    let model = "ConflictsEntity"
    var random: SplitMix64
    var revisions: [String: Int64] = [:]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func creations(_ count: Int) -> [ChangeMessage] {
        (0..<count).map { _ in .create(fresh(), of: model, ["title": "new"]) }
    }

    /// A creation, an update and a deletion.
    mutating func nextChanges() -> [ChangeMessage] {
        let chosen = revisions.keys.sorted().shuffled(using: &random).prefix(2)
        let title = JSONValue.string("title \(random.next())")
        return creations(1)
            + zip(chosen, [true, false]).map { guid, updates in
                updates
                    ? .update(guid, of: model, from: revisions[guid], ["title": title])
                    : .delete(guid, of: model, from: revisions[guid])
            }
    }

    mutating func push(_ changes: [ChangeMessage], as client: Client) async throws {
        for (change, outcome) in zip(changes, try await client.sync(changes, limit: 1).outcomes) {
            #expect(outcome.outcome == .accepted)
            revisions[change.guid] = change.action == .delete ? nil : outcome.revision
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct PagingTests {
    @Test(arguments: [1, 2] as [UInt64])
    func interruptedPullEndsLikeFreshOne(seed: UInt64) async throws {
        let site = try await Site(prepared: "Conflicts")
        var server = try await RunningServer(site: site)
        var writer = Writer(seed: seed)
        try await writer.push(writer.creations(500), as: server.client("b"))

        var replica = Replica()
        var pages = 0
        var isDone = false
        while !isDone {
            pages += 1
            let page = try await server.client("a").sync(cursor: replica.cursor, limit: 7)
            #expect(page.records.count <= 7 && !page.resync)
            // One page in five is lost; the client continues from its last cursor.
            if Int.random(in: 0..<5, using: &writer.random) > 0 { replica.store(page) }
            isDone = !page.more && replica.cursor == page.cursor
            if pages <= 60 {
                try await writer.push(writer.nextChanges(), as: server.client("b"))
                isDone = false
            }
            if pages == 30 || pages == 90 {
                await server.crash()
                server = try await RunningServer(site: site)
            }
        }
        #expect(pages > 72)
        let whole = try await server.client("a").records()
        #expect(whole.count == 500, "as many were deleted as were created")
        #expect(replica.records == Dictionary(uniqueKeysWithValues: whole.map { ($0.guid, $0) }))
        #expect(Set(whole.map(\.guid)) == Set(writer.revisions.keys))
    }
}
