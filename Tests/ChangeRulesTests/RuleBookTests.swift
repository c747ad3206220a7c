import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import Testing

/// One rule book answers a device and the server. The definition of these tests: `title` is
/// required and everybody's, `score` (default 1) may be created by nobody and updated by its owner,
/// `secret` is read by its owner.
@Suite struct RuleBookTests {
    let book = RuleBook(.notes)
    let owner = Asker.user("a")
    let other = Asker.user("b")
    let record = Ownership(owner: "a", group: "users")

    // MARK: - Everything that stands against a change

    @Test(
        arguments: [
            (["title": "t"], []),
            ([:], ["empty title"]),
            (["title": .null], ["empty title"]),
            (["title": 7], ["wrongType title"]),
            (["title": "t", "score": 1], []),
            (["title": "t", "score": .null], []),
            (["title": "t", "score": 2], ["noCredentialsToPerformOperationOnField score"]),
            (["title": "t", "oops": 2], ["unknownField oops"]),
            (["score": 2], ["empty title", "noCredentialsToPerformOperationOnField score"]),
        ] as [([String: JSONValue], [String])])
    func creations(fields: [String: JSONValue], expected: [String]) throws {
        let causes = book.causes(
            creating: change(.create, fields), of: try model(), by: owner)
        #expect(causes.map(\.words) == expected)
    }

    @Test func creationNeedsGuid() throws {
        let change = Change(
            id: "1", action: .create, model: "Note", guid: "none", baseRevision: nil,
            fields: book.values(["title": "t"], of: "Note"))
        #expect(
            book.causes(creating: change, of: try model(), by: owner).map(\.words)
                == ["illegalGuid"])
    }

    @Test(
        arguments: [
            ("a", ["score": 2], []),
            ("b", ["score": 2], ["noCredentialsToPerformOperationOnField score"]),
            ("b", ["title": "t"], []),
            ("b", ["title": .null], ["empty title"]),
            ("stranger", ["title": "t"], ["noCredentialsToPerformOperationOnModel"]),
        ] as [(String, [String: JSONValue], [String])])
    func updates(login: String, fields: [String: JSONValue], expected: [String]) throws {
        let causes = book.causes(
            updating: record, by: change(.update, fields), changing: fields.keys,
            of: try model(), by: .user(login))
        #expect(causes.map(\.words) == expected)
    }

    /// A field that is named with its present value needs no right: its name is not among those
    /// that change.
    @Test func unchangedFieldNeedsNoRight() throws {
        let causes = book.causes(
            updating: record, by: change(.update, ["score": 2]), changing: [], of: try model(),
            by: other)
        #expect(causes.isEmpty)
    }

    @Test(
        arguments: [
            ("a", [:], []), ("b", [:], ["noCredentialsToPerformOperationOnModel"]),
            ("a", ["title": "t"], ["unexpectedFields"]),
        ] as [(String, [String: JSONValue], [String])])
    func deletions(login: String, fields: [String: JSONValue], expected: [String]) throws {
        let causes = book.causes(
            deleting: record, by: change(.delete, fields), of: try model(), by: .user(login))
        #expect(causes.map(\.words) == expected)
    }

    /// The model of this definition lets nobody resolve.
    @Test func resolutionNeedsOneMoreRight() throws {
        let causes = book.causes(
            resolving: record, by: change(.resolve, ["title": "t"]), changing: ["title"],
            of: try model(), by: owner)
        #expect(causes.map(\.words) == ["noCredentialsToPerformOperationOnModel"])
    }

    // MARK: - New records

    /// A null that its author may not set counts as left out, so the default stands.
    @Test(
        arguments: [
            (["title": "t"], ["title": "t", "score": 1]),
            (["title": "t", "score": .null], ["title": "t", "score": 1]),
            (["title": "t", "secret": .null], ["title": "t", "secret": .null, "score": 1]),
        ] as [([String: JSONValue], [String: JSONValue])])
    func startingValues(given: [String: JSONValue], expected: [String: JSONValue]) throws {
        #expect(book.startingValues(from: given, of: try model(), by: owner) == expected)
    }

    @Test func blankRecordShowsReadableFieldsToItsOwner() throws {
        #expect(
            book.blankRecord(of: try model(), by: owner)
                == ["title": .null, "score": 1, "secret": .null])
    }

    // MARK: - Reading values

    /// The Kelvin sign equals K to Swift, and is no letter of a definition's name.
    @Test func namesAreComparedByBytes() {
        let values = book.values(["\u{212A}": "t", "title": "t"], of: "Note")
        #expect(values["title"] == .value(.text("t")))
        #expect(values["K"] == nil && values.count == 2)
    }

    private func model() throws -> ModelRules { try #require(book.model(named: "Note")) }

    private func change(_ action: ChangeAction, _ fields: [String: JSONValue]) -> Change {
        Change(
            id: "1", action: action, model: "Note",
            guid: "00000000-0000-4000-8000-000000000001", baseRevision: 1,
            fields: book.values(fields, of: "Note"))
    }
}

extension Cause {
    /// The code, and the field where there is one.
    fileprivate var words: String {
        ([CauseDescription(self).code] + (field.map { [$0] } ?? [])).joined(separator: " ")
    }
}

extension Asker {
    /// The stranger is in a group without a credential.
    fileprivate static func user(_ login: String) -> Asker {
        let group = login == "stranger" ? "strangers" : "users"
        return Asker(
            login: login, group: group, role: Role(group: group, deviceCategory: "mobile"))
    }
}
