import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

/// `scan` is visible to the record's group, `contract` to its owner, `ballot` to nobody.
@Suite("A file is visible through record fields with its guid")
struct FileSightTests {
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.files())
    }

    private var a: Person { bench.person("a") }
    private var b: Person { bench.person("b") }
    private var guest: Person { bench.person("g", group: "guests") }

    /// The answers to a, b and the guest for a download of the file.
    private func answers(to number: Int) async throws -> [FileAnswer] {
        var answers: [FileAnswer] = []
        for person in [a, b, guest] { answers.append(try await person.download(number)) }
        return answers
    }

    @Test func beforeRecordNamesItItIsForItsUploader() async throws {
        #expect(try await a.upload(1, "text") == .sent(complete: true, received: 4))
        #expect(try await answers(to: 1) == [.text("text"), .unknown, .unknown])
    }

    @Test(arguments: [
        ("scan", [true, true, false]), ("contract", [true, false, false]),
        ("ballot", [false, false, false]),
    ])
    func namedFileIsVisibleWithItsField(
        field: String, isShown: [Bool]
    ) async throws {
        try await a.upload(1, "text")
        _ = try await a.push(create(1, [field: .file(1)]))
        #expect(try await answers(to: 1) == isShown.map { $0 ? .text("text") : .unknown })
    }

    @Test func recordMayComeBeforeContents() async throws {
        _ = try await a.push(create(1, ["scan": .file(1)]))
        let awaited = FileAnswer.refused(.awaited)
        #expect(try await answers(to: 1) == [awaited, awaited, .unknown])
        #expect(try await a.uploadState(1) == .sent(complete: false, received: 0))
        try await a.upload(1, "text", part: 0..<2)
        #expect(try await answers(to: 1) == [awaited, awaited, .unknown])
        try await a.upload(1, "text", part: 2..<4)
        #expect(try await answers(to: 1) == [.text("text"), .text("text"), .unknown])
    }

    @Test func deletedRecordShowsNoFile() async throws {
        try await a.upload(1, "text")
        _ = try await a.push(create(1, ["scan": .file(1)]), delete(1, id: "d", base: nil))
        #expect(try await answers(to: 1) == [.unknown, .unknown, .unknown])
        _ = try await b.push(update(1, id: "u", base: 1, ["title": "t"]))
        #expect(try await bench.stored(guid(1))?.isConflicted == true)
        #expect(try await answers(to: 1) == [.text("text"), .text("text"), .unknown])
    }

    @Test func openConflictShowsItAndOneThatIsOverDoesNot() async throws {
        try await a.upload(1, "one")
        try await b.upload(2, "two")
        _ = try await a.push(create(1, ["scan": .null]))
        _ = try await a.push(update(1, id: "1", base: 1, ["scan": .file(1)]))
        _ = try await b.push(update(1, id: "2", base: 1, ["scan": .file(2)]))
        #expect(try await answers(to: 1) == [.text("one"), .text("one"), .unknown])
        #expect(try await answers(to: 2) == [.text("two"), .text("two"), .unknown])
        _ = try await a.push(resolve(1, id: "3", base: 3, ["scan": .file(2)]))
        #expect(try await answers(to: 1) == [.unknown, .unknown, .unknown])
        #expect(try await answers(to: 2) == [.text("two"), .text("two"), .unknown])
    }

    @Test func filesOfHistoryAreHiddenAndKept() async throws {
        try await a.upload(1, "text")
        _ = try await a.push(create(1, ["scan": .file(1)]))
        _ = try await a.push(update(1, id: "1", base: 1, ["scan": .null]))
        #expect(try await answers(to: 1) == [.unknown, .unknown, .unknown])
        _ = try await bench.sweepFiles()
        _ = try await a.push(update(1, id: "2", base: 2, ["scan": .file(1)]))
        #expect(try await answers(to: 1) == [.text("text"), .text("text"), .unknown])
    }

    @Test func losingRecordLosesItsFile() async throws {
        try await a.upload(1, "text")
        _ = try await a.push(create(1, ["scan": .file(1)]))
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: nil, group: "guests"),
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
        #expect(try await answers(to: 1) == [.unknown, .unknown, .text("text")])
    }

    @Test func stricterDefinitionTakesItAway() async throws {
        try await a.upload(1, "text")
        _ = try await a.push(create(1, ["scan": .file(1)]))
        let stricter = try await bench.deploying(Documents.files(scanRead: "OWN"))
        #expect(try await a.download(1, with: stricter) == .text("text"))
        #expect(try await b.download(1, with: stricter) == .unknown)
        let error = await #expect(throws: SyncError.self) { try await a.download(1) }
        #expect(error == .definitionChanged)
    }

    /// One of many records with the file shows it.
    @Test func fileIsFoundAmongManyRecordsThatHideIt() async throws {
        try await guest.upload(1, "text")
        _ = try await guest.sync((10..<310).map { create($0, ["contract": .file(1)]) })
        _ = try await guest.push(create(1, ["scan": .file(1)]))
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: nil, group: "users"),
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
        #expect(try await answers(to: 1) == [.text("text"), .text("text"), .text("text")])
    }

    /// A push reads only so many bytes of records to find one that shows the file to its author.
    @Test(arguments: [(2 << 20, nil), (1, ["fileNotYours"])] as [(Int, [String]?)])
    func fileIsNamedIfRecordThatShowsItIsRead(bytes: Int, causes: [String]?) async throws {
        var limits = Limits()
        limits.pushNamingBytes = bytes
        let bench = try await TestBench(Documents.files(), limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        try await a.upload(1, "text")
        _ = try await a.push(create(1, ["contract": .file(1)]), create(2, ["scan": .file(1)]))
        let outcomes = try await b.push(create(3, ["scan": .file(1)]))
        #expect(outcomes.map { $0.causes?.map(\.code) } == [causes])
    }

    @Test func onlyItsUploaderSeesProgress() async throws {
        try await a.upload(1, "text", part: 0..<2)
        #expect(try await a.uploadState(1) == .sent(complete: false, received: 2))
        _ = try await a.push(create(1, ["scan": .file(1)]))
        #expect(try await b.uploadState(1) == .unknown)
        #expect(try await a.uploadState(2) == .unknown)
        try await a.upload(1, "text")
        #expect(try await a.uploadState(1) == .sent(complete: true, received: 4))
        #expect(try await b.uploadState(1) == .unknown)
    }

    /// A role may upload if it may set a file field in a record of its own.
    @Test(arguments: 0..<16)
    func uploadingNeedsTheRightToSetFileField(bits: Int) async throws {
        let levels = (0..<4).map { bits >> $0 & 1 == 1 ? "OWN" : "NONE" }
        let bench = try await TestBench(
            Documents.document(
                .manual,
                models: """
                    <model name="Note">
                      <fields>
                        \(Documents.field("title", "TEXT", read: "ALL"))
                        \(Documents.field(
                            "scan", "FILE", create: levels[0], read: "ALL", update: levels[1]))
                      </fields>
                      <credentials>
                        <credential role="users-mobile" createAllowed="\(levels[2])"
                          readAllowed="ALL" updateAllowed="\(levels[3])"/>
                      </credentials>
                    </model>
                    """))
        let isAllowed = bits & 0b0101 == 0b0101 || bits & 0b1010 == 0b1010
        let a = bench.person("a")
        #expect(
            try await a.upload(1, "x")
                == (isAllowed ? .sent(complete: true, received: 1) : .refused(.uploadNotAllowed)))
        let guest = bench.person("g", group: "guests")
        #expect(try await guest.upload(2, "x") == .refused(.uploadNotAllowed))
    }
}
