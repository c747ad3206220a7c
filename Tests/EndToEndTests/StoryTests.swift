import Foundation
import JSON
import SyncProtocol
import Testing

/// The examples from end to end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StoryTests {
    private let film = "PermissionsEntity"
    private let rating = "ConflictsEntity"

    @Test func onlyOwnerOfFilmSeesItsDirector() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        let created = try await a.push(
            .create(guid, of: film, ["title": "Alien", "director": "Ridley Scott"]))
        #expect(created.outcome == .accepted && created.revision == 1)

        let answer = try await b.ask(SyncRequest())
        let seen = try #require(try answer.message(as: SyncResponse.self).records.first)
        #expect(seen.fields == ["title": "Alien"])
        #expect(seen.owner == "a" && seen.group == "users" && seen.revision == 1)
        #expect(!answer.text.contains("director") && !answer.text.contains("Ridley"))

        let changed = try await b.push(.update(guid, of: film, from: 1, ["title": "Alien (1979)"]))
        #expect(changed.outcome == .accepted && changed.revision == 2)
        #expect(
            try await a.record(guid).fields
                == ["title": "Alien (1979)", "director": "Ridley Scott"])
        #expect(try await b.record(guid).fields == ["title": "Alien (1979)"])
    }

    @Test func foreignDirectorIsRefusedWithPlaceOfRule() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: film, ["title": "Alien", "director": "Ridley Scott"]))

        for value: JSONValue in ["James Cameron", "Ridley Scott", .null] {
            let refused = try await b.push(.update(guid, of: film, from: 1, ["director": value]))
            #expect(refused.outcome == .refused && refused.revision == nil)
            let cause = try #require(refused.causes?.first)
            #expect(refused.causes?.count == 1)
            #expect(cause.code == "noCredentialsToPerformOperationOnField")
            #expect(cause.field == "director" && cause.argument == "update")
            let rest = try server.site.definitionText(at: cause)
            #expect(rest.hasPrefix("<credential ") && rest.contains(#"updateAllowed="OWN""#))
        }
        #expect(try await a.record(guid).fields?["director"] == "Ridley Scott")
    }

    @Test func twoOfflineChangesAreKeptUntilConflictIsResolved() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: rating, ["title": "Alien", "score": 3]))

        let first = try await a.push(.update(guid, of: rating, from: 1, ["score": 5]))
        #expect(first.outcome == .accepted && first.revision == 2)
        let second = try await b.push(.update(guid, of: rating, from: 1, ["score": 1]))
        #expect(second.outcome == .conflicted && second.revision == 3)

        for client in [a, b] {
            let record = try await client.record(guid)
            #expect(record.conflicted && record.fields == ["title": "Alien", "score": 5])
            let conflict = try #require(record.conflicts?.first)
            #expect(record.conflicts?.count == 1)
            #expect(conflict.revision == 3 && conflict.baseRevision == 1)
            #expect(conflict.base.fields == ["score": 3] && conflict.base.login == nil)
            #expect(conflict.mine.fields == ["score": 1] && conflict.mine.login == "b")
            #expect(conflict.theirs.fields == ["score": 5] && conflict.theirs.login == "a")
            #expect(conflict.mine.deviceCategory == "mobile" && conflict.mine.at != nil)
        }

        let resolved = try await b.push(.resolve(guid, of: rating, from: 3, ["score": 4]))
        #expect(resolved.outcome == .accepted && resolved.revision == 4)
        for client in [a, b] {
            let record = try await client.record(guid)
            #expect(!record.conflicted && record.conflicts == nil)
            #expect(record.fields == ["title": "Alien", "score": 4])
        }
    }

    @Test func withOverwriteTheLastPushWinsAndReturnsReplacedValues() async throws {
        let server = try await RunningServer(definition: "Conflicts") {
            try $0.changing(#"conflictMode="MANUAL""#, to: #"conflictMode="OVERWRITE""#)
        }
        let outcomes = try await pushesOfOneScore(to: server)
        #expect(outcomes.first.outcome == .accepted && outcomes.first.overwrote == nil)
        #expect(outcomes.second.outcome == .accepted)
        #expect(outcomes.second.revision == 3 && outcomes.second.overwrote == 2)
        let record = try await server.client("a").record(outcomes.first.guid)
        #expect(record.fields?["score"] == 1 && !record.conflicted)
    }

    @Test func withDiscardTheFirstPushWins() async throws {
        let server = try await RunningServer(definition: "Conflicts") {
            try $0.changing(#"conflictMode="MANUAL""#, to: #"conflictMode="DISCARD""#)
        }
        let outcomes = try await pushesOfOneScore(to: server)
        #expect(outcomes.first.outcome == .accepted)
        #expect(outcomes.second.outcome == .discarded && outcomes.second.revision == 2)
        let record = try await server.client("b").record(outcomes.first.guid)
        #expect(record.fields?["score"] == 5 && record.revision == 2 && !record.conflicted)
    }

    private func pushesOfOneScore(
        to server: RunningServer
    ) async throws -> (first: OutcomeMessage, second: OutcomeMessage) {
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: rating, ["title": "Alien", "score": 3]))
        return (
            try await a.push(.update(guid, of: rating, from: 1, ["score": 5])),
            try await b.push(.update(guid, of: rating, from: 1, ["score": 1]))
        )
    }
}
