import Foundation
import JSON
import SyncProtocol
import Testing

/// Unique values, from the definition to the answer.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UniqueTests {
    private let model = "ConflictsEntity"

    private func unique(_ text: String) throws -> String {
        try text
            .changing("<application ", to: #"<application xmlns:w="urn:waggle:definition" "#)
            .changing(#"name="title" "#, to: #"name="title" w:unique="true" "#)
    }

    @Test func titleIsOneFilmsUntilItIsDeleted() async throws {
        let site = try await Site(prepared: "Conflicts", changing: unique)
        var server = try await RunningServer(site: site)
        let (first, second) = (fresh(), fresh())
        try await server.client("a").push(.create(first, of: model, ["title": "Alien"]))
        let taken = ChangeMessage.create(second, of: model, ["title": "Alien"])
        let refused = try await server.client("b").ask(SyncRequest(changes: [taken]))
        let outcome = try #require(
            try refused.message(as: SyncResponse.self).outcomes.first)
        let cause = try #require(outcome.causes?.first)
        #expect(outcome.outcome == .refused && outcome.causes?.count == 1)
        #expect(cause.code == "notUnique" && cause.field == "title" && cause.argument == nil)
        #expect(try site.definitionText(at: cause).hasPrefix(#"w:unique="true""#))
        let words = try String(decoding: JSONEncoder().encode(outcome), as: UTF8.self)
        #expect(!words.contains(first), "whose it is, is told to nobody")

        await server.crash()
        server = try await RunningServer(site: site)
        let b = try server.client("b")
        #expect(try await b.push(taken) == outcome, "a repeat gets the same answer")
        let next = ChangeMessage.create(second, of: model, ["title": "Alien"])
        #expect(try await b.push(next).causes?.map(\.code) == ["notUnique"])

        try await server.client("a").push(.delete(first, of: model, from: 1))
        #expect(try await b.push(taken) == outcome, "however late")
        let last = try await b.push(.create(second, of: model, ["title": "Alien"]))
        #expect(last.outcome == .accepted)
    }

    @Test func twoFilmsSwapTheirTitles() async throws {
        let server = try await RunningServer(definition: "Conflicts", changing: unique)
        let a = try server.client("a")
        let (one, two) = (fresh(), fresh())
        _ = try await a.sync([
            .create(one, of: model, ["title": "Alien"]),
            .create(two, of: model, ["title": "Aliens"]),
        ])
        let outcomes = try await a.sync([
            .update(one, of: model, from: 1, ["title": "Aliens"]),
            .update(two, of: model, from: 1, ["title": "Alien"]),
        ]).outcomes
        #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        #expect(try await a.record(one).fields?["title"] == "Aliens")
    }

    /// Many clients push the same title concurrently, and one succeeds.
    @Test func firstPushGetsValue() async throws {
        let server = try await RunningServer(definition: "Conflicts", changing: unique)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let outcomes = try await withThrowingTaskGroup(of: OutcomeMessage.self) { group in
            for number in 0..<40 {
                let client = number % 2 == 0 ? a : b
                group.addTask {
                    try await client.push(.create(fresh(), of: model, ["title": "Alien"]))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0.outcome == .accepted } == 1)
        #expect(outcomes.count { $0.causes?.map(\.code) == ["notUnique"] } == 39)
        #expect(try await a.records().count == 1)
    }

    @Test func titlesThatAreThereTwiceDoNotBecomeUnique() async throws {
        let site = try await Site(prepared: "Conflicts")
        let (one, two) = (fresh(), fresh())
        do {
            let server = try await RunningServer(site: site)
            _ = try await server.client("a").sync([
                .create(one, of: model, ["title": "Alien"]),
                .create(two, of: model, ["title": "Alien"]),
                .create(fresh(), of: model, ["title": "Stalker"]),
            ])
            #expect(await server.stop() == 0)
        }
        let other = try site.writing(try unique(definition("Conflicts")), to: "unique.xml")
        let tried = try await site.deployAcceptingAll(other, "--dry-run")
        let refused = try await site.deployAcceptingAll(other)
        #expect(refused.exitCode == 1 && tried.exitCode == 1)
        #expect(tried.errors.hasSuffix(refused.errors.split(separator: "error:").last ?? "?"))
        #expect(
            refused.errors.hasSuffix(
                """
                error: records of environment 'test' do not fit this definition
                \(other):22:29: field 'title' of 'ConflictsEntity' would be unique, and 1 record \
                has the value of another
                help: give these records values of their own first, or leave 'unique' out

                """))
        #expect(!refused.errors.contains("Alien"))
        do {
            let server = try await RunningServer(site: site)
            try await server.client("a").push(
                .update(two, of: model, from: 1, ["title": "Solaris"]))
            #expect(await server.stop() == 0)
        }
        #expect(try await site.deployAcceptingAll(other).exitCode == 0)
        let server = try await RunningServer(site: site.serving(other))
        let taken = try await server.client("b").push(
            .update(two, of: model, from: 2, ["title": "Stalker"]))
        #expect(taken.causes?.map(\.code) == ["notUnique"])
    }
}
