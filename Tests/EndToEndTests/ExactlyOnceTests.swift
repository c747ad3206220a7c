import Foundation
import JSON
import SyncProtocol
import Testing

/// A client without an answer repeats the request; every change is applied exactly once.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ExactlyOnceTests {
    private let model = "ConflictsEntity"

    @Test func repeatAfterTruncatedResponseHasTheSameOutcome() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "0"]))
        for (step, bytesRead) in stride(from: 0, to: 400, by: 40).enumerated() {
            let base = Int64(step + 1)
            let push = SyncRequest(changes: [
                .update(guid, of: model, from: base, ["title": .string("\(base)")]),
                .create(fresh(), of: model, ["title": "beside it"]),
                .update(guid, of: model, from: 99, ["title": "refused"]),
            ])
            let connection = try RawConnection(port: server.port)
            connection.send(try a.wireRequest(push))
            _ = await connection.receive(bytesRead)
            connection.close()

            let first = try await a.sync(push.changes)
            let second = try await a.sync(push.changes)
            #expect(first.outcomes == second.outcomes && first.cursor == second.cursor)
            #expect(first.outcomes.map(\.outcome) == [.accepted, .accepted, .refused])
            #expect(first.outcomes[0].revision == base + 1)
        }
        #expect(try await a.record(guid).revision == 11)
        #expect(try await a.records().count == 11)
        #expect(try await server.site.sql("SELECT count(*) FROM history") == "21")
    }

    @Test func pushThatServerDidNotSurviveIsSettledByItsRepeat() async throws {
        let site = try await Site(prepared: "Conflicts")
        let guid = fresh()
        var server = try await RunningServer(site: site)
        try await server.client("a").push(.create(guid, of: model, ["title": "0"]))
        for base in Int64(1)...4 {
            let push = SyncRequest(changes: [
                .update(guid, of: model, from: base, ["title": .string("\(base)")])
            ])
            let connection = try RawConnection(port: server.port)
            connection.send(try server.client("a").wireRequest(push))
            // The server is killed after it has answered, while it may be answering, or at once.
            _ = await connection.receive(base == 1 ? 1000 : base == 2 ? 1 : 0)
            await server.crash()

            server = try await RunningServer(site: site)
            let a = try server.client("a")
            let first = try await a.sync(push.changes).outcomes
            #expect(first.map(\.outcome) == [.accepted])
            #expect(first.first?.revision == base + 1)
            #expect(try await a.sync(push.changes).outcomes == first)
            #expect(try await a.record(guid).revision == base + 1)
        }
        #expect(try await site.sql("SELECT count(*) FROM history") == "5")
    }

    @Test func answeredBatchesSurviveCrashAndNoneIsPartial() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let batches = (0..<200).map { batch in
            (0..<10).map { index in
                ChangeMessage.create(
                    fresh(), of: model, ["title": .string("\(batch).\(index)")])
            }
        }
        let answered = await pushUntilCrash(batches, to: server)
        #expect(answered.count >= 10)

        let a = try await RunningServer(site: site).client("a")
        let stored = Set(try await a.records().map(\.guid))
        for (number, batch) in batches.enumerated() {
            let found = batch.count { stored.contains($0.guid) }
            #expect(found == 0 || found == 10, "batch \(number)")
            if answered.contains(number) { #expect(found == 10, "batch \(number)") }
        }
        #expect(try await site.isIntact())

        for batch in batches {
            let outcomes = try await a.sync(batch).outcomes
            #expect(outcomes.allSatisfy { $0.outcome == .accepted && $0.revision == 1 })
        }
        #expect(try await a.records().count == 2000)
        #expect(try await site.sql("SELECT count(*) FROM history") == "2000")
    }

    @Test func lateCopyOfConfirmedChangeHasNoEffect() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let change = ChangeMessage.create(fresh(), of: model, ["title": "Alien"])
        let first = try await a.push(change)
        var reused = change
        reused.guid = fresh()
        #expect(try await a.push(reused).causes?.map(\.code) == ["changeIDReused"])
        #expect(try await b.push(reused).outcome == .accepted, "ids are each device's own")

        let edit = ChangeMessage.update(change.guid, of: model, from: 1, ["title": "Aliens"])
        let edited = try await a.push(edit)
        _ = try await a.sync(acknowledged: [change.id, edit.id])
        try await a.push(.update(change.guid, of: model, from: 2, ["title": "Alien 3"]))
        #expect(try await a.push(change) == first)
        #expect(try await a.push(edit) == edited)
        #expect(try await a.record(change.guid).revision == 3)
        #expect(try await server.site.sql("SELECT count(*) FROM history") == "4")
    }

    /// Four clients push until the server is killed after ten answered batches. Returns the numbers
    /// of all answered batches.
    private func pushUntilCrash(
        _ batches: [[ChangeMessage]], to server: RunningServer
    ) async -> Set<Int> {
        await withTaskGroup(of: [Int].self) { group in
            let progress = Progress(server: server)
            for lane in 0..<4 {
                group.addTask {
                    var answered: [Int] = []
                    for number in stride(from: lane, to: batches.count, by: 4) {
                        let push = SyncRequest(changes: batches[number])
                        guard let answer = try? await server.client("a").askPatiently(push),
                            answer.status == 200
                        else { break }
                        answered.append(number)
                        await progress.note()
                    }
                    return answered
                }
            }
            return await group.reduce(into: []) { $0.formUnion($1) }
        }
    }

    private actor Progress {
        private let server: RunningServer
        private var answered = 0

        init(server: RunningServer) {
            self.server = server
        }

        func note() {
            answered += 1
            if answered == 10 { server.send(SIGKILL) }
        }
    }
}
