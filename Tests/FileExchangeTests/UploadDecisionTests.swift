import EngineKit
import SyncEngine
import Testing

@testable import FileExchange

@Suite("Decisions on uploads")
struct UploadDecisionTests {
    private static let guid = "00000000-0000-4000-8000-000000000001"
    private static let now = Instant(milliseconds: 9)
    private static let limits = {
        var limits = Limits()
        limits.fileBytes = 100
        limits.looseFileBytes = 150
        limits.looseFiles = 3
        return limits
    }()

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var login = "a"
        var contents = "x"
        var first: Int64? = 0
        var total: Int64 = 10
        /// Nil for an unknown file.
        var file: StoredFile?
        var loose = UnreferencedFiles(count: 0, bytes: 0)
        var contentsAreLost = false
        let expected: Expected
    }

    enum Expected: Sendable {
        case begins(isNamed: Bool = false, voiding: String? = nil)
        case goesOn, isThere
        case refused(FileRefusal)
    }

    private static func file(
        of login: String = "a", isNamed: Bool = false, complete: Bool? = nil
    ) -> StoredFile {
        StoredFile(
            guid: Self.guid, login: login, at: Instant(milliseconds: 1), isNamed: isNamed,
            upload: complete.map { upload("old", isComplete: $0) })
    }

    private static func upload(
        _ id: String, _ contents: String = "x", size: Int64 = 10, isComplete: Bool = false
    ) -> StoredUpload {
        StoredUpload(id: id, contents: hash(contents), size: size, isComplete: isComplete)
    }

    private static func hash(_ text: String) -> ContentHash {
        ContentHash(Array(text.utf8) + Array(repeating: 0, count: 32 - text.utf8.count))
            ?? upload("").contents
    }

    static let cases: [Case] = [
        Case(testDescription: "a new file", expected: .begins()),
        Case(testDescription: "an empty one", total: 0, expected: .begins()),
        Case(testDescription: "the largest", total: 100, expected: .begins()),
        Case(
            testDescription: "one too large", total: 101,
            expected: .refused(.tooLarge(maxBytes: 100))),
        Case(
            testDescription: "a later part of a new one", first: 5,
            expected: .refused(.partElsewhere(received: 0))),
        Case(
            testDescription: "the end of a new one", first: nil,
            expected: .refused(.partElsewhere(received: 0))),
        Case(
            testDescription: "one of one's own that a record names", file: file(isNamed: true),
            expected: .begins(isNamed: true)),
        Case(
            testDescription: "one that starts over", file: file(complete: false),
            expected: .begins(voiding: "old")),
        Case(
            testDescription: "one that begins anew with other contents", contents: "y",
            file: file(complete: false), expected: .begins(voiding: "old")),
        Case(
            testDescription: "a later part", first: 5, file: file(complete: false),
            expected: .goesOn),
        Case(
            testDescription: "the end", first: nil, file: file(complete: false), expected: .goesOn),
        Case(
            testDescription: "a later part of other contents", contents: "y", first: 5,
            file: file(complete: false), expected: .refused(.partElsewhere(received: 0))),
        Case(
            testDescription: "a later part of another size", first: 5, total: 11,
            file: file(complete: false), expected: .refused(.partElsewhere(received: 0))),
        Case(
            testDescription: "the same again", file: file(complete: true), expected: .isThere),
        Case(
            testDescription: "a part of the same", first: 5, file: file(complete: true),
            expected: .isThere),
        Case(
            testDescription: "the same again, which a record names",
            file: file(isNamed: true, complete: true), expected: .isThere),
        Case(
            testDescription: "other contents", contents: "y", file: file(complete: true),
            expected: .refused(.exists)),
        Case(
            testDescription: "the same, which were lost", file: file(complete: true),
            contentsAreLost: true, expected: .begins(voiding: "old")),
        Case(
            testDescription: "a part of the same, which were lost", first: 5,
            file: file(complete: true), contentsAreLost: true,
            expected: .refused(.partElsewhere(received: 0))),
        Case(
            testDescription: "others than were lost", contents: "y", file: file(complete: true),
            contentsAreLost: true, expected: .refused(.exists)),
        Case(
            testDescription: "as many loose bytes as one may have",
            loose: UnreferencedFiles(count: 1, bytes: 140), expected: .begins()),
        Case(
            testDescription: "more loose bytes", loose: UnreferencedFiles(count: 1, bytes: 141),
            expected: .refused(.tooManyLoose(max: 3, maxBytes: 150))),
        Case(
            testDescription: "more loose files", total: 0,
            loose: UnreferencedFiles(count: 3, bytes: 3),
            expected: .refused(.tooManyLoose(max: 3, maxBytes: 150))),
        Case(
            testDescription: "one that a record names, beside many loose ones",
            file: file(isNamed: true), loose: UnreferencedFiles(count: 9, bytes: 999),
            expected: .begins(isNamed: true)),
        Case(
            testDescription: "going on, beside many loose ones", first: 5,
            file: file(complete: false), loose: UnreferencedFiles(count: 9, bytes: 999),
            expected: .goesOn),
    ]

    @Test(arguments: cases)
    func uploadIsDecidedByItsState(_ it: Case) throws {
        let decided = try decide(it)
        switch it.expected {
        case .begins(let isNamed, let voided):
            let upload = Self.upload("new", it.contents, size: it.total)
            let file = StoredFile(
                guid: Self.guid, login: it.login, at: Self.now, isNamed: isNamed, upload: upload)
            #expect(decided == .success(.begins(file, upload, voiding: voided)))
        case .goesOn:
            var file = try #require(it.file)
            file.at = Self.now
            #expect(decided == .success(.goesOn(file, Self.upload("old"))))
        case .isThere:
            var file = try #require(it.file)
            file.at = Self.now
            #expect(decided == .success(.isThere(file, Self.upload("old", isComplete: true))))
            #expect(decided.file == (file.isNamed ? nil : file))
        case .refused(let refusal): #expect(decided == .failure(refusal))
        }
    }

    /// The answer is the same for every kind of guid that belongs to another user.
    @Test(arguments: cases)
    func otherUsersLearnNothingAboutFile(_ it: Case) throws {
        guard it.total <= Self.limits.fileBytes else { return }
        var it = it
        it.login = "b"
        for complete in [nil, false, true] {
            for isNamed in [false, true] {
                it.file = Self.file(isNamed: isNamed, complete: complete)
                #expect(try decide(it) == .failure(.notYours))
            }
        }
    }

    private func decide(_ it: Case) throws -> Result<UploadDecision, FileRefusal> {
        let part = try #require(
            UploadPart(
                first: it.first, count: it.first.map { it.total - $0 } ?? 0, total: it.total))
        return decideUpload(
            UploadRequest(
                guid: Self.guid, contents: Self.hash(it.contents), part: part, freshID: "new"),
            by: it.login, at: Self.now, on: FileState(file: it.file, loose: it.loose),
            contentsAreLost: it.contentsAreLost, limits: Self.limits)
    }

    @Test(arguments: [
        (first: Int64(0), count: Int64(0), total: Int64(0), isLegal: true), (0, 10, 10, true),
        (4, 6, 10, true), (10, 0, 10, true), (4, 7, 10, false), (11, 0, 10, false),
        (-1, 1, 10, false), (0, -1, 10, false), (0, 0, -1, false), (.max, .max, .max, false),
    ])
    func partLiesWithinItsFile(first: Int64, count: Int64, total: Int64, isLegal: Bool) {
        #expect((UploadPart(first: first, count: count, total: total) != nil) == isLegal)
    }

    @Test(arguments: [
        (String(repeating: "0a", count: 32), true), (String(repeating: "0A", count: 32), false),
        (String(repeating: "0a", count: 31), false),
        (String(repeating: "../", count: 21) + ".", false),
        ("", false),
    ])
    func hashIs64Digits(hex: String, isLegal: Bool) {
        let hash = ContentHash(hex: hex)
        #expect((hash != nil) == isLegal)
        #expect(hash.flatMap { ContentHash($0.bytes) } == hash)
    }
}
