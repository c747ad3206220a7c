import TestKit
import Testing

@testable import MobeelizerWire

/// Invalid bodies and their messages.
@Suite struct MultipartRefusalTests {
    private func error(of body: String, limits: MultipartLimits = .init()) -> MultipartError? {
        let bytes = Array(body.utf8)
        let type = "multipart/form-data; boundary=b"
        let whole = ReadBody([bytes], contentType: type, limits: limits)
        let single = ReadBody(bytes.singles, contentType: type, limits: limits)
        #expect(whole == single && whole.disorder == [])
        return whole.error
    }

    private static let head = "--b\r\ncontent-disposition: form-data; name=a\r\n\r\n"

    private static let malformed: [(body: String, error: MultipartError)] = [
        ("", .boundaryMissing),
        ("text", .boundaryMissing),
        ("--other\r\n\r\n--other--", .boundaryMissing),
        ("-b\r\n", .boundaryMissing),
        ("--b\ncontent-disposition: form-data; name=a\n\ntext\n--b--\n", .lineEndsWrong),
        ("--b\r\ncontent-disposition: form-data; name=a\n\ntext\n--b--\n", .lineEndsWrong),
        ("\(head)text\n--b--\n", .cutOff),
        ("\(head)text", .cutOff),
        ("\(head)text\r\n--b", .cutOff),
        ("\(head)text\r\n--b-", .cutOff),
        ("\(head)text\r\n--b\r\n", .cutOff),
        ("\(head)text\r\n--other--\r\n", .cutOff),
        ("--b", .cutOff),
        ("--b-", .cutOff),
        ("--b\r\n", .cutOff),
        ("--b\r\ncontent-dis", .cutOff),
        ("--b\r\n\r\ntext\r\n--b--", .nameMissing(part: 1)),
        ("--b\r\ncontent-type: text/plain\r\n\r\n\r\n--b--", .nameMissing(part: 1)),
        ("--b\r\ncontent-disposition: form-data\r\n\r\n\r\n--b--", .nameMissing(part: 1)),
        ("--b\r\ncontent-disposition: form-data; name=\r\n\r\n\r\n--b--", .nameMissing(part: 1)),
        ("--b\r\ncontent-disposition: attachment; name=a\r\n\r\n", .nameMissing(part: 1)),
        ("\(head)\r\n--b\r\n\r\n", .nameMissing(part: 2)),
        ("--b\r\nno colon\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\n: no name\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\na b: c\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\na: b\r\n folded\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\na: b\r\nA: c\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\na: b\0c\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\na: b\rc\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\ncontent-disposition: form-data; name=\"a\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\ncontent-disposition: form-data; name\r\n\r\n", .headersBroken(part: 1)),
        ("--b\r\ncontent-disposition: form-data; name=a; name=b\r\n\r\n", .headersBroken(part: 1)),
    ]

    @Test(arguments: malformed)
    func malformedBodyIsRefused(body: String, expected: MultipartError) {
        #expect(error(of: body) == expected)
    }

    /// Valid bodies with random insertions of parts of boundaries and headers.
    @Test(arguments: UInt64(0)..<100)
    func randomlyDamagedBodiesKeepLimits(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var body = Array("\(Self.head)text\r\n\(Self.head)\r\n\r\n--b--\r\n".utf8)
        let words = [
            "\r", "\n", "-", "--b", "\r\n--b", "\r\n\r\n", ";", "\"", "=", ":", "\0", "name",
        ]
        for _ in 0..<random.number(in: 1...8) {
            let start = random.number(in: 0...body.count)
            let end = min(body.count, start + random.number(in: 0...3))
            body.replaceSubrange(start..<end, with: (random.one(of: words) ?? "").utf8)
        }
        let broken = brokenBodyInvariants(
            of: body, contentType: "multipart/form-data; boundary=b"
        ) { _ in random.number(in: 1...30) }
        #expect(broken == [])
    }

    @Test func bodyWithoutPartsIsComplete() {
        #expect(error(of: "--b--") == nil)
    }

    @Test func headersHaveOnlySoManyBytes() {
        let name = "content-disposition: form-data; name=a\r\n"
        var limits = MultipartLimits()
        limits.headerBytes = name.utf8.count + 12
        let body = "--b\r\n\(name)x: 12345"
        #expect(error(of: body + "\r\n\r\n\r\n--b--", limits: limits) == nil)
        let tooLong = MultipartError.headersTooLong(part: 1, maxBytes: limits.headerBytes)
        #expect(error(of: body + "6\r\n\r\n\r\n--b--", limits: limits) == tooLong)
        #expect(error(of: body + String(repeating: "6", count: 100), limits: limits) == tooLong)
    }

    @Test func bodyHasOnlySoManyParts() {
        var limits = MultipartLimits()
        limits.parts = 2
        let part = Self.head + "\r\n"
        #expect(error(of: part + part + "--b--", limits: limits) == nil)
        #expect(error(of: part + part + part + "--b--", limits: limits) == .tooManyParts(max: 2))
    }

    @Test func headersAreInUTF8() {
        let bytes = Array("--b\r\na: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        let body = ReadBody([bytes], contentType: "multipart/form-data; boundary=b")
        #expect(body.error == .headersBroken(part: 1))
    }

    // MARK: - The request's header

    private static let longest = String(repeating: "b", count: 70)

    @Test(arguments: [
        ("multipart/form-data; boundary=b", "b"),
        ("multipart/form-data;boundary=b", "b"),
        ("Multipart/Form-Data; Charset=utf-8; BOUNDARY=aB ; x=y", "aB"),
        ("multipart/form-data; boundary=\"a b=:;'()\"; x=y", nil),
        ("multipart/form-data; boundary=\"a b=:'()\"", "a b=:'()"),
        ("multipart/form-data; boundary=\"b\";", "b"),
        ("multipart/form-data; boundary=\(longest)", longest),
        ("multipart/form-data; boundary=\(longest)b", nil),
        ("multipart/form-data; boundary=", nil),
        ("multipart/form-data; boundary=\"b \"", nil),
        ("multipart/form-data; boundary=ż", nil),
        ("multipart/form-data; boundary=a\\b", nil),
        ("multipart/form-data", nil),
    ])
    func headerNamesBoundary(contentType: String, boundary: String?) {
        let name = "content-disposition: form-data; name=a"
        let body = "--\(boundary ?? "b")\r\n\(name)\r\n\r\ntext\r\n--\(boundary ?? "b")--"
        let read = ReadBody([Array(body.utf8)], contentType: contentType)
        #expect(read.error == (boundary == nil ? .boundaryWrong : nil))
        #expect(read.parts.map(\.text) == (boundary == nil ? [] : ["text"]))
    }

    @Test(arguments: [
        "", "application/zip", "multipart/mixed; boundary=b", "multipart/form-data; boundary=\"b",
        "multipart/form-data; boundary=b; boundary=c",
    ])
    func anotherTypeIsRefused(contentType: String) {
        #expect(ReadBody([], contentType: contentType).error == .typeWrong(contentType))
    }

    // MARK: - Names

    @Test(arguments: [
        ("name=file", "file", nil),
        ("name=\"file\"; filename=a.zip", "file", "a.zip"),
        ("Name=\"file\"; FileName=\"a b;c=d.zip\"", "file", "a b;c=d.zip"),
        ("filename=\"a\\\"b\\\\c\"; name = \"file\" ", "file", "a\"b\\c"),
        ("name=file; filename=\"C:\\bees\\a.zip\"", "file", "C:\\bees\\a.zip"),
        ("name=\"\u{301}ż🐝\"; ; filename=\"\"", "\u{301}ż🐝", ""),
        ("name=\"a\\", nil, nil),
    ])
    func namesAreRead(parameters: String, name: String?, filename: String?) {
        let body = "--b\r\ncontent-disposition: form-data; \(parameters)\r\n\r\n\r\n--b--"
        let read = ReadBody([Array(body.utf8)], contentType: "multipart/form-data; boundary=b")
        #expect(read.parts.first?.part.name == name)
        #expect(read.parts.first?.part.filename == filename)
    }

    @Test func errorStays() throws {
        var reader = try MultipartReader(contentType: "multipart/form-data; boundary=b")
        var events: [MultipartEvent] = []
        let error = MultipartError.nameMissing(part: 1)
        #expect(throws: error) { try reader.consume(Array("--b\r\n\r\n".utf8), into: &events) }
        #expect(throws: error) { try reader.consume(Array("\r\n--b--".utf8), into: &events) }
        #expect(throws: error) { try reader.finish() }
        #expect(events == [])
    }

    @Test func errorNamesItsRemedy() {
        #expect(
            MultipartError.nameMissing(part: 2).description
                == "the part 2 has no name: send 'Content-Disposition: form-data; name=\"…\"'")
    }
}
