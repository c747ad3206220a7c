import EngineKit
import FileExchange
import SyncEngine
import SyncProtocol
import Testing

@Suite("Contents arrive in parts from several requests")
struct UploadTests {
    private let bench: TestBench
    private var a: Person { bench.person("a") }

    init() async throws {
        bench = try await TestBench(Documents.files())
    }

    @Test(arguments: 0...6)
    func uploadGoesOnWhereItGotTo(first: Int) async throws {
        let text = "secret"
        try await a.upload(1, text, part: 0..<first)
        if first < 6 {
            #expect(try await a.uploadState(1) == .sent(complete: false, received: Int64(first)))
            #expect(try bench.vaultFiles().allSatisfy { $0.hasPrefix("uploads/") })
            for wrong in [first - 1, first + 1] where wrong > 0 && wrong < 6 {
                #expect(
                    try await a.upload(1, text, part: wrong..<6)
                        == .refused(.partElsewhere(received: Int64(first))))
            }
        }
        let last = try await a.upload(1, text, part: first..<6)
        #expect(last == (first == 6 ? .wasThere : .sent(complete: true, received: 6)))
        #expect(try await a.download(1) == .text(text))
        #expect(try bench.vaultFiles().allSatisfy { !$0.hasPrefix("uploads/") })
    }

    @Test func emptyFileIsFile() async throws {
        #expect(try await a.upload(1, "") == .sent(complete: true, received: 0))
        #expect(try await a.download(1) == .text(""))
    }

    @Test func contentsNeverChange() async throws {
        try await a.upload(1, "text")
        #expect(try await a.upload(1, "text") == .wasThere)
        #expect(try await a.upload(1, "other") == .refused(.exists))
        _ = try await a.push(create(1, ["scan": .file(1)]))
        #expect(try await a.upload(1, "other") == .refused(.exists))
        #expect(try await a.download(1) == .text("text"))
    }

    @Test func contentsWithAnotherDigestAreDiscarded() async throws {
        #expect(try await a.upload(1, "texts", claiming: "text") == .refused(.digestWrong))
        #expect(try bench.vaultFiles() == [])
        #expect(try await a.uploadState(1) == .sent(complete: false, received: 0))
        try await a.upload(1, "tex!", part: 0..<4, claiming: "text")
        #expect(try await a.upload(1, "text") == .sent(complete: true, received: 4))
    }

    @Test func restartingUploadDiscardsItsBytes() async throws {
        let caller = try await a.caller()
        let request = UploadRequest(
            guid: file(1), contents: try .of("text"),
            part: try #require(UploadPart(first: 0, count: 4, total: 4)), freshID: "first")
        let now = Instant(milliseconds: 1)
        guard case .open(let slow) = try await bench.files.begin(request, by: caller, at: now)
        else { throw StoreError.failed("the file was there") }
        try await slow.append(Array("te".utf8))
        try await a.upload(1, "other")
        try await slow.append(Array("xt".utf8))
        await #expect(throws: SyncError.file(.overtaken)) {
            try await bench.files.finish(slow, by: caller, at: now)
        }
        #expect(try await a.download(1) == .text("other"))
        _ = try await bench.sweepFiles()
        #expect(try bench.vaultFiles().isEmpty)
    }

    @Test func limitsAreHeld() async throws {
        var limits = Limits()
        limits.fileBytes = 10
        limits.looseFileBytes = 12
        limits.looseFiles = 3
        let bench = try await TestBench(Documents.files(), limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        let tooMany = FileAnswer.refused(.tooManyLoose(max: 3, maxBytes: 12))
        #expect(try await a.upload(1, "12345678901") == .refused(.tooLarge(maxBytes: 10)))
        #expect(
            try await a.upload(1, "1234567890", part: 0..<1) == .sent(complete: false, received: 1))
        #expect(try await a.upload(2, "123") == tooMany, "the first counts as a whole")
        #expect(try await a.upload(1, "1234567890") == .sent(complete: true, received: 10))
        #expect(try await a.upload(2, "12") == .sent(complete: true, received: 2))
        #expect(try await b.upload(3, "123") == .sent(complete: true, received: 3))
        _ = try await a.push(create(1, ["scan": .file(1)]))
        #expect(try await a.upload(4, "123") == .sent(complete: true, received: 3))
        #expect(try await a.upload(5, "") == .sent(complete: true, received: 0))
        #expect(try await a.upload(6, "") == tooMany)
    }

    @Test(arguments: [
        "", "1", "0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b5", "../../../../../../etc/passwd",
    ])
    func guidThatIsNoneNamesNoFile(guid: String) async throws {
        let caller = try await a.caller()
        let request = UploadRequest(
            guid: guid, contents: try .of("x"),
            part: try #require(UploadPart(first: 0, count: 1, total: 1)), freshID: "1")
        await #expect(throws: SyncError.file(.guidIllegal)) {
            try await bench.files.begin(request, by: caller, at: Instant(milliseconds: 1))
        }
        await #expect(throws: SyncError.file(.unknown)) {
            try await bench.files.open(guid, for: caller)
        }
        await #expect(throws: SyncError.file(.unknown)) {
            try await bench.files.upload(of: guid, for: caller)
        }
    }
}
