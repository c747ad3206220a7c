import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Nothing that an original client sends stops it")
struct OriginalRefusalTests {
    private static let model = "ConflictsEntity"

    private func film(_ guid: String, _ title: String, score: String = "1") -> OriginalLine {
        OriginalLine(guid, of: Self.model, ["title": .string(title), "score": .string(score)])
    }

    @Test func childOfDeletedParentIsTakenIn() async throws {
        let server = try await RunningServer(definition: "FieldService")
        let client = try OriginalClient("dora", of: server).with { $0.deviceCategory = "office" }
        let (native, customer, site) = (
            try server.client("dora", on: "office"), fresh(), fresh()
        )
        try await native.push(.create(customer, of: "customer", ["name": "Acme"]))
        try await client.synchronize()
        try await native.push(.delete(customer, of: "customer", from: 1))
        let answer = try await client.synchronize([
            OriginalLine(
                site, of: "site",
                ["customer": .string(customer), "name": "Depot", "address": "Main Road 1"])
        ])
        #expect(try answer.line(customer).isDeleted && answer.line(site)["customer"] == customer)
        #expect(try await native.record(site).fields?["customer"] == .string(customer))
        #expect(try await server.site.refusals() == [])
    }

    @Test func refusedDeletionGivesRecordBack() async throws {
        let server = try await RunningServer(definition: "Conflicts") {
            try $0.changing(#"deleteAllowed="ALL""#, to: #"deleteAllowed="OWN""#)
        }
        let (a, b) = (try OriginalClient("a", of: server), try OriginalClient("b", of: server))
        let guid = fresh()
        try await a.synchronize([film(guid, "Solaris")])
        try await b.synchronize()
        let answer = try await b.synchronize([film(guid, "Solaris").with { $0.isDeleted = true }])
        let line = try answer.line(guid)
        #expect(!line.isDeleted && line["title"] == "Solaris")
        #expect(try await b.synchronize().lines.isEmpty)
        #expect(try await a.synchronize().lines.isEmpty, "nothing changed for others")
        let refusal = try #require(try await server.site.refusals().first)
        #expect(refusal.login == "b" && refusal.guid == guid)
        #expect(refusal.causes[0].code == "noCredentialsToPerformOperationOnModel")
        let history = try await server.client("a").history(of: guid, in: Self.model)
        #expect(history.map(\.kind) == [.discarded, .created])
    }

    @Test func namesOfFilesAreMadeLegal() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        let line = OriginalLine(
            guid, of: "Occasion",
            [
                "kind": "holiday", "name": "Spring", "date": "1767225600000",
                "picture": .object([
                    "guid": .string(file),
                    "filename": .string("a/b\u{1}" + String(repeating: "c", count: 300) + ".png"),
                ]),
            ])
        let answer = try await client.synchronize([line], files: [file: [1, 2, 3]])
        let name = "a_b_" + String(repeating: "c", count: 247) + ".png"
        let value = try JSONDecoder().decode(
            [String: String].self, from: Data((try answer.line(guid)["picture"] ?? "").utf8))
        #expect(value == ["guid": file, "filename": name])
        #expect(try await server.client("a").get(file).body == Data([1, 2, 3]))
        #expect(try await server.site.refusals().map(\.fieldNames) == [["picture", "picture"]])
        #expect(try await client.synchronize([line]).lines.isEmpty)
    }

    @Test func editsOfDisputedRecordTakeOneConflict() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--max-open-conflicts", "2")
        let (a, guid) = (try OriginalClient("a", of: server), fresh())
        let phones = try (0..<3).map { try OriginalClient("b", on: "phone\($0)", of: server) }
        try await a.synchronize([film(guid, "Solaris")])
        for phone in phones { try await phone.synchronize() }
        try await a.synchronize([film(guid, "Solaris (1972)")])
        for title in ["x", "y", "z"] {
            for phone in phones[..<2] {
                let answer = try await phone.synchronize([film(guid, title)])
                #expect(try answer.line(guid).conflictState == "IN_CONFLICT_BECAUSE_OF_YOU")
            }
        }
        let line = try await phones[2].synchronize([film(guid, "late")]).line(guid)
        #expect(line.conflictState == "IN_CONFLICT" && line["title"] == "Solaris (1972)")
        let record = try await server.client("a").record(guid)
        #expect(record.conflicts?.map(\.mine.fields) == [["title": "z"], ["title": "z"]])
        let refusal = try #require(try await server.site.refusals().first)
        #expect(try refusal.fields == ["title": "late"])
        #expect(refusal.causes[0].code == "tooManyConflicts")
        let history = try await server.client("a").history(of: guid, in: Self.model)
        let wanted = history.compactMap { $0.wanted?["title"] }
        #expect(wanted.contains("late"))
    }

    @Test func longTextsAndZeroBytesAreTakenIn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let long = String(repeating: "x", count: 4096)
        let (first, second, third) = (fresh(), fresh(), fresh())
        let answer = try await client.synchronize([
            film(first, long), film(second, "a\u{0}b"), film(third, long + "x"),
        ])
        #expect(try answer.line(first)["title"] == long)
        #expect(try answer.line(second)["title"] == "a\u{FFFD}b")
        let refused = try await server.site.refusals()
        #expect(Set(refused.map(\.guid)) == [second, third])
        #expect(
            try refused.first { $0.guid == second }?.fields == ["title": "a\u{0}b"])
        #expect(try await client.synchronize([film(second, "a\u{0}b")]).lines.isEmpty)
    }

    @Test func listIsForOperators() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let guid = fresh()
        try await client.synchronize([film(guid, "x", score: "9"), film(fresh(), "y")])
        let text = try await server.site.waggle("refused", "list")
        #expect(text.exitCode == 0 && text.errors == "")
        #expect(text.output.contains("a on phone  \(Self.model) \(guid): 'score' must be 5"))
        let number = try #require(try await server.site.refusals().first?.number)
        let removed = try await server.site.waggle("refused", "remove", "\(number)", "99")
        #expect(removed.exitCode == 0 && removed.errors.contains("removed entries: 1"))
        #expect(try await server.site.refusals() == [])
        try await client.synchronize([film(guid, "x", score: "8")])
        let later = try await server.site.waggle("sweep")
        #expect(later.exitCode == 0)
        #expect(try await server.site.refusals().count == 1)
        let now = try await server.site.waggle("sweep", "--keep-refused-days", "0")
        #expect(now.errors.contains("purged refused data: 1"))
        #expect(try await server.site.refusals() == [])
    }
}
