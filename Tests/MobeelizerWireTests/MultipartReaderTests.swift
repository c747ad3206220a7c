import TestKit
import Testing

@testable import MobeelizerWire

/// Bodies of the original clients, and invalid bodies.
@Suite struct MultipartReaderTests {
    // MARK: - Bodies of the clients

    struct Client: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let contentType: String
        let head: String
        let foot: String

        /// A part of a ZIP archive that contains something similar to a boundary.
        static let contents =
            Array("PK\u{3}\u{4}\r\n\r\n--\r\n--------\r\r\n-".utf8) + [0, 255, 13]

        var body: [UInt8] { Array(head.utf8) + Self.contents + Array(foot.utf8) }
    }

    private static let fixed = "---------------------------14737809831466499882746641449"

    static let clients = [
        Client(
            testDescription: "iOS, and Java",
            contentType: "multipart/form-data; boundary=\(fixed)",
            head: "\r\n--\(fixed)\r\n"
                + "content-disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
                + "content-type: application/octet-stream\r\n\r\n",
            foot: "\r\n--\(fixed)--\r\n"),
        Client(
            testDescription: "Android, through Apache's HttpMime",
            contentType: "multipart/form-data; boundary=Wk3sP_9-bLcU0zqYf6XdTtQeRa8vNhJgM2",
            head: "--Wk3sP_9-bLcU0zqYf6XdTtQeRa8vNhJgM2\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n",
            foot: "\r\n--Wk3sP_9-bLcU0zqYf6XdTtQeRa8vNhJgM2--\r\n"),
        Client(
            testDescription: "WP7, with a semicolon too many",
            contentType: "multipart/form-data; boundary=634729362873462834",
            head: "--634729362873462834\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"file\";\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n",
            foot: "\r\n--634729362873462834--\r\n"),
    ]

    private func checkRead(_ client: Client, _ chunks: [[UInt8]]) {
        let body = ReadBody(chunks, contentType: client.contentType)
        #expect(body.error == nil && body.disorder == [] && body.parts.count == 1)
        let part = body.parts.first
        #expect(part?.part.name == "file" && part?.part.filename == "file")
        #expect(part?.part.headers["content-type"] == "application/octet-stream")
        #expect(part?.bytes == Client.contents && part?.isWhole == true)
    }

    @Test(arguments: clients)
    func bodiesOfClientsAreRead(client: Client) {
        checkRead(client, [client.body])
        checkRead(client, client.body.singles)
    }

    @Test(arguments: clients)
    func bodyCutAnywhereReadsTheSame(client: Client) {
        for place in 0...client.body.count { checkRead(client, client.body.cut(at: place)) }
    }

    // MARK: - Valid bodies

    private static let contentType = "multipart/form-data; boundary=b"
    private static let sample =
        "A preamble,\r\n--bee and more\r\n--b \t\r\n"
        + "CONTENT-Disposition: form-data; name=one\r\n\r\n"
        + "\r\n--bb\r\n--b-\r\n--b \r\r\n--\r\n\r\n--b-x\r\n--b --\r\n--b\r\r\n--b\r\n"
        + "x-more: a: b \r\ncontent-disposition:form-data;filename=\"\";name=\"two\"\r\n\r\n"
        + "\r\n--b--an epilogue\r\n--b\r\n"

    @Test func everythingThatBodyMayHaveIsRead() {
        let body = ReadBody([Array(Self.sample.utf8)], contentType: Self.contentType)
        #expect(body.error == nil && body.disorder == [])
        #expect(body.parts.map(\.part.name) == ["one", "two"])
        #expect(body.parts.map(\.part.filename) == [nil, ""])
        #expect(
            body.parts.map(\.text)
                == ["\r\n--bb\r\n--b-\r\n--b \r\r\n--\r\n\r\n--b-x\r\n--b --\r\n--b\r", ""])
        #expect(body.parts.last?.part.headers["x-more"] == "a: b")
        #expect(body.parts.map(\.isWhole) == [true, true])
    }

    /// A boundary may have blanks after it, but they are buffered until its end is known.
    @Test func boundaryHasOnlySoManyBlanksBehindIt() {
        for (count, texts) in [(80, ["", "text"]), (81, nil)] {
            let blanks = String(repeating: " ", count: count)
            let head = "\(blanks)\r\ncontent-disposition: form-data; name=a\r\n\r\n"
            let body = "--b\(head.dropFirst(count))\r\n--b\(head)text\r\n--b--"
            let read = ReadBody([Array(body.utf8)], contentType: Self.contentType)
            #expect(read.parts.map(\.text) == texts ?? ["\r\n--b\(head)text"])
        }
    }

    /// Cut in three, with a short second chunk.
    @Test func bodyCutTwiceReadsTheSame() {
        let bytes = Array(Self.sample.utf8)
        let whole = ReadBody([bytes], contentType: Self.contentType)
        for first in 0...bytes.count {
            for second in first...min(first + 20, bytes.count) {
                let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]]
                let body = ReadBody(chunks.map(Array.init), contentType: Self.contentType)
                guard body != whole else { continue }
                Issue.record("cut at \(first) and \(second)")
                return
            }
        }
    }

    /// Random bodies made of parts of boundaries, cut at random.
    @Test(arguments: UInt64(0)..<200)
    func anyContentsComeThrough(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = ["\r", "\n", "\r\n", "-", "--", "--b", "\r\n--b", "b", " ", "\r\n--", "x"]
        let contents = (0..<random.number(in: 0...3)).map { _ in
            (0..<random.number(in: 0...40)).map { _ in random.one(of: words) ?? "" }.joined()
        }.filter { !holdsDelimiter($0) }
        let body =
            contents.map { "\r\n--b\r\ncontent-disposition: form-data; name=n\r\n\r\n\($0)" }
            .joined() + "\r\n--b--"
        var rest = Array(body.utf8)[...]
        var chunks: [[UInt8]] = []
        while !rest.isEmpty {
            chunks.append(Array(rest.prefix(random.number(in: 0...9))))
            rest = rest.dropFirst(chunks.last?.count ?? 0)
        }
        let read = ReadBody(chunks, contentType: Self.contentType)
        #expect(read.error == nil && read.disorder == [])
        #expect(read.parts.map(\.text) == contents)
    }

    /// A naive search. Contents begin after a line break.
    private func holdsDelimiter(_ contents: String) -> Bool {
        let text = contents + "\r\n--b--"
        let early = text.utf8.count - 7
        return Array(text.utf8).indices.contains { place in
            place < early
                && String(decoding: text.utf8.dropFirst(place), as: UTF8.self)
                    .utf8.starts(with: "\r\n--b".utf8)
                && isDelimiterEnd(Array(text.utf8.dropFirst(place + 5)))
        }
    }

    private func isDelimiterEnd(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [45, 45]) || bytes.drop { $0 == 32 }.starts(with: [13, 10])
    }
}
