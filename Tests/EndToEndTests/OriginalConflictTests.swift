import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Conflicts reach original clients in the three states that they know")
struct OriginalConflictTests {
    private static let model = "ConflictsEntity"

    private func film(_ guid: String, _ title: String) -> OriginalLine {
        OriginalLine(guid, of: Self.model, ["title": .string(title), "score": "3"])
    }

    /// Two clients change a record independently.
    private func dispute(
        on server: RunningServer, _ guid: String
    ) async throws -> (first: OriginalClient, second: OriginalClient, answer: OriginalDelivery) {
        let first = try OriginalClient("a", of: server)
        let second = try OriginalClient("b", of: server)
        try await first.synchronize([film(guid, "Solaris")])
        try await second.synchronize()
        try await first.synchronize([film(guid, "Solaris (1972)")])
        let answer = try await second.synchronize([film(guid, "Solyaris")])
        return (first, second, answer)
    }

    @Test func clientInConflictKeepsItsValuesAndOthersLearnOfIt() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let (first, second, answer) = try await dispute(on: server, guid)
        let own = try answer.line(guid)
        // The client for iOS takes the values of every line.
        #expect(own.conflictState == "IN_CONFLICT_BECAUSE_OF_YOU" && own["title"] == "Solyaris")
        let told = try await first.synchronize().line(guid)
        #expect(told.conflictState == "IN_CONFLICT" && told["title"] == "Solaris (1972)")
        #expect(try await server.client("a").record(guid).conflicts?.count == 1)
        #expect(try await second.synchronize().lines.isEmpty)
    }

    /// The client for iOS deletes a record whose line says so.
    @Test func editBesideDeletionStaysOnItsDevice() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let first = try OriginalClient("a", of: server)
        let second = try OriginalClient("b", of: server)
        try await first.synchronize([film(guid, "Solaris")])
        try await second.synchronize()
        try await first.synchronize([film(guid, "Solaris").with { $0.isDeleted = true }])
        let own = try await second.synchronize([film(guid, "Solyaris")]).line(guid)
        #expect(own.conflictState == "IN_CONFLICT_BECAUSE_OF_YOU" && own["title"] == "Solyaris")
        #expect(!own.isDeleted)
        let told = try await first.synchronize().line(guid)
        #expect(told.conflictState == "IN_CONFLICT" && told.isDeleted)
    }

    @Test func resolutionEndsConflictForEveryClient() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let (first, second, _) = try await dispute(on: server, guid)
        try await first.synchronize()
        let choice = film(guid, "Solaris, 1972").with { $0.resolves = true }
        let settled = try await first.synchronize([choice]).line(guid)
        #expect(settled.conflictState == "NO_IN_CONFLICT")
        let told = try await second.synchronize().line(guid)
        #expect(told.conflictState == "NO_IN_CONFLICT" && told["title"] == "Solaris, 1972")
        let record = try await server.client("b").record(guid)
        #expect(!record.conflicted && record.fields?["title"] == "Solaris, 1972")
    }

    /// Each version is the whole record, far more than its entry.
    @Test func historyEndsWithLimitInBytes() async throws {
        let server = try await RunningServer(definition: "Conflicts") {
            try $0.allowingLongTitles()
        }
        let (native, guid) = (try server.client("a"), fresh())
        // Archives that shrink too much are refused.
        let text = String((0..<900_000).map { _ in "0123456789abcdef".randomElement() ?? "0" })
        try await native.push(
            .create(guid, of: Self.model, ["title": .string(text), "score": 1]))
        for revision in 1..<25 {
            try await native.push(
                .update(
                    guid, of: Self.model, from: Int64(revision),
                    ["score": .integer(Int64(revision % 5 + 1))]))
        }
        let client = try OriginalClient("a", of: server)
        let answer = try await client.get(
            "GET", "conflictHistory?model=\(Self.model)&guid=\(guid)")
        let lines = try OriginalDelivery(archive: answer.body).lines
        // So many of 900 KB reach 16 MiB.
        #expect(lines.count == 19)
        #expect(lines.first?["score"] == "5" && lines.allSatisfy { $0["title"] == text })
    }

    @Test func historyNamesUserChangeAndTime() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let (first, _, _) = try await dispute(on: server, guid)
        let answer = try await first.get(
            "GET", "conflictHistory?model=\(Self.model)&guid=\(guid)")
        let lines = try OriginalDelivery(archive: answer.body).lines
        #expect(lines.map { $0["title"] } == ["Solyaris", "Solaris (1972)", "Solaris"])
        #expect(lines.map(\.user) == ["b", "a", "a"])
        #expect(lines.map(\.conflictState) == ["IN_CONFLICT", "NO_IN_CONFLICT", "NO_IN_CONFLICT"])
        #expect(lines.allSatisfy { $0.device == "mobile" && $0.model == Self.model })
        let dates = lines.compactMap(\.date)
        #expect(dates.count == 3 && dates == dates.sorted(by: >) && dates[2] > 1_700_000_000_000)
        let unknown = try await first.ask(
            "GET", "conflictHistory?model=\(Self.model)&guid=\(fresh())")
        #expect(try OriginalError(unknown).message.contains("no such record"))
    }
}

@Suite("Clients that send whole records do not harm hidden fields")
struct OriginalRightsTests {
    private static let model = "PermissionsEntity"

    private func film(_ guid: String, _ title: String, director: String?) -> OriginalLine {
        OriginalLine(
            guid, of: Self.model,
            ["title": .string(title), "director": director.map { .string($0) } ?? .null])
    }

    @Test func nullForHiddenFieldChangesNothing() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let (owner, other, guid) = (
            try OriginalClient("a", of: server), try OriginalClient("b", of: server), fresh()
        )
        try await owner.synchronize([film(guid, "Solaris", director: "Tarkovsky")])
        let seen = try await other.synchronize().line(guid)
        #expect(seen["title"] == "Solaris" && seen.fields?.keys.contains("director") == false)
        try await other.synchronize([film(guid, "Solyaris", director: nil)])
        let record = try await server.client("a").record(guid)
        #expect(record.fields == ["title": "Solyaris", "director": "Tarkovsky"])
    }

    /// The Android client cannot store a record without a required field.
    @Test func requiredFieldThatIsHiddenHasPlaceholder() async throws {
        let server = try await RunningServer(definition: "Permissions") {
            try $0.changing(
                #"name="director" type="TEXT""#, to: #"name="director" type="TEXT" required="true""#
            )
        }
        let (owner, other, guid) = (
            try OriginalClient("a", of: server), try OriginalClient("b", of: server), fresh()
        )
        try await owner.synchronize([film(guid, "Solaris", director: "Tarkovsky")])
        #expect(try await other.synchronize().line(guid).fields?["director"] == "")
        let revision = try await server.client("a").record(guid).revision
        try await other.synchronize([film(guid, "Solaris", director: "")])
        #expect(try await server.client("a").record(guid).revision == revision)
        let answer = try await other.synchronize([film(guid, "Solyaris", director: "")])
        #expect(try answer.line(guid).fields?["director"] == "")
        let record = try await server.client("a").record(guid)
        #expect(record.fields == ["title": "Solyaris", "director": "Tarkovsky"])
        #expect(try await server.site.refusals() == [])
        let refused = try await other.refusals(of: [film(guid, "Solyaris", director: "Me")])
        #expect(refused.map(\.fieldNames) == [["director"]])
        #expect(try await owner.synchronize().line(guid)["director"] == "Tarkovsky")
    }

    @Test func attemptIsRefusedByNameAndTheRestIsTakenIn() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let (owner, other) = (
            try OriginalClient("a", of: server), try OriginalClient("b", of: server)
        )
        let (guid, own) = (fresh(), fresh())
        try await owner.synchronize([film(guid, "Solaris", director: "Tarkovsky")])
        try await other.synchronize()
        let refused = try await other.refusals(of: [
            film(guid, "Solaris", director: "Me"), film(own, "Mine", director: "Me"),
        ])
        #expect(refused.map(\.guid) == [guid] && refused[0].fieldNames == ["director"])
        #expect(try refused[0].fields == ["director": "Me"] && refused[0].login == "b")
        #expect(refused[0].causes[0].code == "noCredentialsToPerformOperationOnField")
        let records = try await server.client("a").records()
        #expect(records.first { $0.guid == guid }?.fields?["director"] == "Tarkovsky")
        #expect(records.contains { $0.guid == own })
    }

    @Test func illegalValueIsRefusedByName() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let line = OriginalLine(fresh(), of: "ConflictsEntity", ["title": "x", "score": "six"])
        let score = try await client.refusals(of: [line])
        #expect(score.map(\.fieldNames) == [["score"]])
        #expect(try score[0].fields == ["score": "six"])
        let model = OriginalLine(fresh(), of: "Nothing", ["title": "x"])
        #expect(try await client.refusals(of: [model]).map(\.model) == ["Nothing"])
        let record = try await server.client("a").record(line.guid)
        #expect(record.fields == ["title": "x", "score": 1])
    }
}
