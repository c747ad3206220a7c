import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

/// Mallory is in the group of guests, Anna in the group of users.
@Suite("Naming or uploading a file gives no access to it")
struct FileAttackTests {
    private let bench: TestBench
    private var anna: Person { bench.person("anna") }
    private var mallory: Person { bench.person("mallory", group: "guests") }

    init() async throws {
        bench = try await TestBench(Documents.files())
    }

    /// The state of another user's file when its guid has become known.
    enum Place: CaseIterable {
        case uploaded, halfUploaded, named, namedWithoutContents, namedInTheHistory
    }

    private func put(at place: Place) async throws {
        switch place {
        case .uploaded: try await anna.upload(1, "secret")
        case .halfUploaded: try await anna.upload(1, "secret", part: 0..<3)
        case .namedWithoutContents: _ = try await anna.push(create(1, ["scan": .file(1)]))
        case .named:
            try await anna.upload(1, "secret")
            _ = try await anna.push(create(1, ["scan": .file(1)]))
        case .namedInTheHistory:
            try await anna.upload(1, "secret")
            _ = try await anna.push(
                create(1, ["scan": .file(1)]), update(1, id: "u", base: nil, ["scan": .null]))
        }
    }

    private func expectNotYours(_ outcomes: [OutcomeMessage], at field: String = "scan") throws {
        for outcome in outcomes {
            #expect(outcome.outcome == .refused)
            #expect(outcome.causes?.map(\.code) == ["fileNotYours"])
            #expect(outcome.causes?.first?.field == field)
            #expect(outcome.causes?.first?.argument == file(1))
        }
    }

    @Test(arguments: Place.allCases)
    func fileOfSomebodyElseCannotBeNamed(place: Place) async throws {
        try await put(at: place)
        _ = try await mallory.push(create(2, ["title": "t"]))
        try expectNotYours(
            try await mallory.push(
                create(3, ["scan": .file(1)]), update(2, id: "u", base: 1, ["scan": .file(1)])))
        _ = try await mallory.push(update(2, id: "v", base: 1, ["title": "u"]))
        try expectNotYours(
            try await mallory.push(update(2, id: "w", base: 1, ["scan": .file(1)])))
        #expect(try await mallory.download(1) == .unknown)
    }

    @Test(arguments: Place.allCases)
    func uploadingForeignFileRevealsNothing(place: Place) async throws {
        try await put(at: place)
        #expect(try await mallory.upload(1, "secret") == .notYours)
        #expect(try await mallory.upload(1, "other") == .notYours)
        #expect(try await mallory.upload(1, "secret", part: 3..<6) == .notYours)
        #expect(try await mallory.uploadState(1) == .unknown)
        #expect(try await mallory.download(1) == .unknown)
    }

    @Test func contentsDoNotComeFromSomebodyElse() async throws {
        try await put(at: .namedWithoutContents)
        #expect(try await bench.person("ben").upload(1, "forged") == .notYours)
        #expect(try await anna.upload(1, "secret") == .sent(complete: true, received: 6))
        #expect(try await bench.person("ben").download(1) == .text("secret"))
    }

    /// Contents that were visible cannot be taken back, but later contents are protected.
    @Test func lostFileCannotBeRegained() async throws {
        try await put(at: .named)
        func give(to group: String) async throws {
            _ = try await bench.engine.reassign(
                guid(1), of: "Note", to: NewOwnership(owner: nil, group: group),
                by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
        }
        try await give(to: "guests")
        #expect(try await mallory.download(1) == .text("secret"))
        try await give(to: "users")
        #expect(try await mallory.download(1) == .unknown)
        try expectNotYours(try await mallory.push(create(2, ["scan": .file(1)])))
        try await give(to: "guests")
        let outcomes = try await mallory.push(create(3, ["scan": .file(1)]))
        #expect(outcomes.map(\.outcome) == [.accepted])
        try await give(to: "users")
        #expect(try await mallory.download(1) == .text("secret"), "by a record of their own")
    }

    /// A field that anyone may set and nobody may read would be an oracle.
    @Test func hiddenFileCannotBeGuessedByNamingIt() async throws {
        try await anna.upload(1, "secret")
        try await anna.upload(2, "other")
        _ = try await anna.push(create(1, ["ballot": .file(1)]), create(2, ["ballot": .file(2)]))
        for (number, id) in [(1, "u"), (2, "v")] {
            try expectNotYours(
                try await mallory.push(update(number, id: id, base: 1, ["ballot": .file(1)])),
                at: "ballot")
        }
    }

    @Test func settingFileNeedsTheRightAndRevealsNothing() async throws {
        let bench = try await TestBench(
            Documents.files().replacing(
                #"createAllowed="ALL" readAllowed="GROUP""#,
                with: #"createAllowed="NONE" readAllowed="GROUP""#))
        try await bench.person("anna").upload(1, "secret")
        for number in [1, 2] {
            let outcome = try await bench.person("ben").push(
                create(number, ["scan": .file(number)]))[0]
            #expect(outcome.causes?.map(\.code) == ["noCredentialsToPerformOperationOnField"])
        }
    }

    @Test func hashDoesNotGiveContents() async throws {
        try await put(at: .uploaded)
        #expect(
            try await mallory.upload(2, "forged", claiming: "secret") == .refused(.digestWrong))
        #expect(try await mallory.download(2) == .refused(.awaited))
        #expect(try await mallory.uploadState(2) == .sent(complete: false, received: 0))
        #expect(try await anna.download(1) == .text("secret"))
    }

    @Test func unknownFileBelongsToTheFirstToNameIt() async throws {
        _ = try await anna.push(create(1, ["contract": .file(1)]))
        try expectNotYours(
            try await mallory.push(create(2, ["contract": .file(1)])), at: "contract")
        #expect(try await mallory.upload(1, "forged") == .notYours)
        #expect(try await anna.upload(1, "secret") == .sent(complete: true, received: 6))
    }

    @Test func refusedChangeMakesFileNobodys() async throws {
        let refused = try await mallory.push(create(1, ["scan": .file(1), "nothing": 1]))
        #expect(refused.map(\.outcome) == [.refused])
        #expect(try await anna.upload(1, "secret") == .sent(complete: true, received: 6))
    }

    /// A discarded change, or one set aside in a conflict, also names the file.
    @Test(arguments: ConflictMode.allCases)
    func filesOfChangeBelongToItsAuthor(mode: ConflictMode) async throws {
        let bench = try await TestBench(Documents.files(mode))
        let (anna, ben) = (bench.person("anna"), bench.person("ben"))
        _ = try await anna.push(create(1, ["title": "t"]))
        _ = try await anna.push(update(1, id: "1", base: 1, ["scan": .file(1)]))
        let late = try await ben.push(update(1, id: "2", base: 1, ["scan": .file(2)]))
        #expect(late.allSatisfy { $0.outcome != .refused })
        #expect(try await anna.upload(2, "forged") == .notYours)
        #expect(try await ben.upload(2, "text") == .sent(complete: true, received: 4))
    }

    @Test func visibleFileMayBeNamed() async throws {
        try await put(at: .named)
        let ben = bench.person("ben")
        let outcomes = try await ben.push(
            create(2, ["contract": .file(1)]),
            update(1, id: "u", base: 1, ["scan": .file(1, "renamed.pdf")]))
        #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        _ = try await anna.push(delete(1, id: "d", base: 2))
        #expect(try await ben.download(1) == .text("secret"))
        #expect(try await anna.download(1) == .unknown)
    }
}
