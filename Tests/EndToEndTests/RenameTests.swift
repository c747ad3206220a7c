import Foundation
import JSON
import SyncProtocol
import Testing

/// A definition names the earlier names of models and fields, and no data is lost.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RenameTests {
    private let old = "ConflictsEntity"
    private let new = "Film"

    private func renamed(with attributes: Bool) throws -> String {
        let before = { (name: String) in attributes ? " w:renamedFrom=\"\(name)\"" : "" }
        return try definition("Conflicts")
            .changing("<application ", to: #"<application xmlns:w="urn:waggle:definition" "#)
            .changing(#"name="ConflictsEntity""#, to: #"name="Film""# + before(old))
            .changing(#"name="title""#, to: #"name="name" w:unique="true""# + before("title"))
            .changing(#"name="score""#, to: #"name="stars""# + before("score"))
    }

    /// Creates a record with a history, one in conflict, and a deleted one; returns a cursor that
    /// covers them, and the conflicting change.
    private func fill(
        _ site: Site, _ guids: [String]
    ) async throws -> (cursor: String, late: ChangeMessage) {
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        _ = try await a.sync([
            .create(guids[0], of: old, ["title": "Alien", "score": 3]),
            .create(guids[1], of: old, ["title": "Stalker"]),
            .create(guids[2], of: old, ["title": "Alien"]),
        ])
        _ = try await a.sync([
            .update(guids[0], of: old, from: 1, ["score": 4]),
            .update(guids[1], of: old, from: 1, ["score": 2]),
            .delete(guids[2], of: old, from: 1),
        ])
        let late = ChangeMessage.update(guids[1], of: old, from: 1, ["score": 5])
        let answer = try await server.client("b").sync([late])
        #expect(answer.outcomes.map(\.outcome) == [.conflicted])
        #expect(await server.stop() == 0)
        return (answer.cursor, late)
    }

    @Test func everyRecordIsThereUnderItsNewName() async throws {
        let site = try await Site(prepared: "Conflicts")
        let guids = [fresh(), fresh(), fresh()]
        let (cursor, _) = try await fill(site, guids)
        let next = try site.writing(try renamed(with: true), to: "renamed.xml")
        let deployed = try await site.deployAcceptingAll(next)
        #expect(deployed.exitCode == 0)
        #expect(deployed.errors.contains("\nrecords with new names or types: 3\n"))

        var server = try await RunningServer(site: site.serving(next))
        let (a, b) = (try server.client("a"), try server.client("b"))
        let pulled = try await b.sync(cursor: cursor)
        #expect(!pulled.resync && pulled.records.map(\.guid) == guids.prefix(2).map(\.self))
        #expect(pulled.records.map(\.model) == [new, new])
        let alien = try #require(pulled.records.first)
        #expect(alien.fields == ["name": "Alien", "stars": 4] && alien.revision == 2)
        let conflict = try #require(pulled.records.last?.conflicts?.first)
        #expect(conflict.base.fields == ["stars": 1] && conflict.mine.fields == ["stars": 5])
        #expect(conflict.theirs.fields == ["stars": 2])

        let resolved = try await b.push(.resolve(guids[1], of: new, from: 3, ["stars": 5]))
        #expect(resolved.outcome == .accepted)
        let taken = try await a.push(.update(guids[1], of: new, from: 4, ["name": "Alien"]))
        #expect(taken.causes?.map(\.code) == ["notUnique"])
        let late = try await b.push(.update(guids[0], of: new, from: 1, ["stars": 1]))
        #expect(late.outcome == .conflicted)
        let sides = try #require(try await b.record(guids[0]).conflicts?.first)
        #expect(sides.base.fields == ["stars": 3], "as its history has it")
        let gone = try await a.push(.update(guids[0], of: old, from: 3, ["score": 1]))
        #expect(gone.causes?.map(\.code) == ["unknownModel"])
        #expect(await server.stop() == 0)

        let last = try site.writing(try renamed(with: false), to: "last.xml")
        let again = try await site.deployAcceptingAll(last)
        #expect(again.exitCode == 0 && !again.errors.contains("new names"))
        server = try await RunningServer(site: site.serving(last))
        let kept = try await server.client("a").record(guids[1])
        #expect(kept.model == new && kept.fields == ["name": "Stalker", "stars": 5])
    }

    /// An app is updated before it has got the answer.
    @Test func repeatedChangeIsAnsweredInNewWords() async throws {
        let site = try await Site(prepared: "Conflicts")
        var (_, sent) = try await fill(site, [fresh(), fresh(), fresh()])
        let next = try site.writing(try renamed(with: true), to: "renamed.xml")
        #expect(try await site.deployAcceptingAll(next).exitCode == 0)
        let server = try await RunningServer(site: site.serving(next))
        (sent.model, sent.fields) = (new, ["stars": 5])
        let outcome = try await server.client("b").push(sent)
        #expect(outcome.outcome == .conflicted && outcome.model == new)
    }

    @Test func valueOfAnotherTypeIsRefusedUnderNameThatItHad() async throws {
        let site = try await Site(prepared: "Conflicts")
        _ = try await fill(site, [fresh(), fresh(), fresh()])
        let text = try renamed(with: true).changing(#"" type="TEXT""#, to: #"" type="DATE""#)
        let next = try site.writing(text, to: "renamed.xml")
        let refused = try await site.deployAcceptingAll(next)
        #expect(refused.exitCode == 1)
        #expect(
            refused.errors.contains(
                ":22:9: field 'name' of 'Film' was TEXT, as 'title' of 'ConflictsEntity', and "
                    + "would be DATE\nhelp: give a field of another type another name\n"))
    }

    /// Types may change as long as no values are stored.
    @Test func typeThatNoValueWasStoredOfDoesNotCount() async throws {
        let site = try await Site(prepared: "Conflicts")
        let text = try definition("Conflicts").changing(
            #"name="title" type="TEXT""#, to: #"name="title" type="INTEGER""#)
        let retyped = try site.writing(text, to: "retyped.xml")
        #expect(try await site.deployAcceptingAll(retyped).exitCode == 0)
        do {
            let server = try await RunningServer(site: site.serving(retyped))
            try await server.client("a").push(.create(fresh(), of: old, ["title": 7]))
            #expect(await server.stop() == 0)
        }
        let wider = try site.writing(
            try text.changing(#""maxValue">5<"#, to: #""maxValue">10<"#), to: "wider.xml")
        let deployed = try await site.deployAcceptingAll(wider)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        #expect(try await site.deployAcceptingAll(site.definition).exitCode == 1)
    }
}
