import Foundation
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct UploadTests {
    private static let size = 200_000

    /// The connection breaks at several offsets, twice in one upload.
    @Test(arguments: [0, 1, 65_536, 100_000, size - 1])
    func interruptedUploadResumesAtItsOffset(count: Int) async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), someBytes(Self.size))
        let connection = try RawConnection(port: server.port)
        connection.send(
            a.wireUpload(of: guid, digest: digest(of: bytes), length: Self.size)
                + bytes.prefix(count))
        try await waitUntilKnown(guid, to: a)
        try await a.waitForUpload(of: guid, bytes: Int64(count))
        // The server creates the file after it has recorded the upload. If the upload restarts
        // between the two, the sweep removes the empty file.
        _ = try await asked({ try await server.site.blobs().count }, until: { $0 == 1 })
        connection.close()
        #expect(try await server.site.blobs().keys.allSatisfy { $0.hasPrefix("uploads/") })
        let answer = try await a.put(guid, bytes, from: count)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try await a.get(guid).body == bytes)
        #expect(try await server.site.blobs().count == 1)
    }

    @Test func fileMayComeInManyParts() async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), someBytes(10))
        for first in stride(from: 0, to: 10, by: 3) {
            let range = first..<min(first + 3, 10)
            let answer = try await a.put(
                guid, bytes[range],
                headers: [
                    "Repr-Digest": digest(of: bytes), "Content-Range": contentRange(range, of: 10),
                ])
            #expect(answer.status == (range.upperBound == 10 ? 201 : 202), "\(answer.text)")
            #expect(try await a.uploadState(of: guid).received == Int64(range.upperBound))
        }
        #expect(try await a.get(guid).body == bytes)
    }

    /// All bytes arrived, and the server was stopped before it could answer.
    @Test(.withAFile) func completeUploadIsFinishedWithoutFurtherBytes() async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), someBytes(10))
        let part = ["Repr-Digest": digest(of: bytes), "Content-Range": "bytes 0-8/10"]
        #expect(try await a.put(guid, bytes.prefix(9), headers: part).status == 202)
        let name = try #require(try await server.site.blobs().keys.first)
        let file = try #require(
            FileHandle(forWritingAtPath: server.site.database + ".files/" + name))
        try file.seekToEnd()
        try file.write(contentsOf: bytes.suffix(1))
        let end = ["Repr-Digest": digest(of: bytes), "Content-Range": "bytes */10"]
        #expect(try await a.put(guid, Data(), headers: end).status == 201)
        #expect(try await a.get(guid).body == bytes)
    }

    private struct BadUpload {
        let name: String
        var headers: [String: String] = [:]
        var guid = fresh()
        let status: Int
        let code: String
        var details: [String: String] = [:]
    }

    private static let bytes = someBytes(100)
    private static let badUploads: [BadUpload] = [
        BadUpload(
            name: "no digest", headers: ["Repr-Digest": ""], status: 400, code: "digestMissing"),
        BadUpload(
            name: "a digest behind thousands of others",
            headers: [
                "Repr-Digest": String(repeating: "x,", count: 8000)
                    + digest(of: bytes)
            ], status: 400, code: "digestMissing"),
        BadUpload(
            name: "a digest of another kind", headers: ["Repr-Digest": "sha-512=:AAAA:"],
            status: 400, code: "digestMissing"),
        BadUpload(
            name: "a digest that is too short", headers: ["Repr-Digest": "sha-256=:AAAA:"],
            status: 400, code: "digestMissing"),
        BadUpload(
            name: "a digest of other contents",
            headers: ["Repr-Digest": digest(of: Data("x".utf8))], status: 422, code: "digestWrong"),
        BadUpload(
            name: "a range that is none", headers: ["Content-Range": "bytes 0-99"], status: 400,
            code: "rangeUnfit"),
        BadUpload(
            name: "a range of unknown length", headers: ["Content-Range": "bytes 0-99/*"],
            status: 400, code: "rangeUnfit"),
        BadUpload(
            name: "a range beyond the end", headers: ["Content-Range": "bytes 50-149/149"],
            status: 400, code: "rangeUnfit"),
        BadUpload(
            name: "a range of another length", headers: ["Content-Range": "bytes 0-9/100"],
            status: 400, code: "rangeUnfit"),
        BadUpload(
            name: "a range beyond all numbers",
            headers: ["Content-Range": "bytes 0-99/99999999999999999999"], status: 400,
            code: "rangeUnfit"),
        BadUpload(
            name: "a part that follows nothing", headers: ["Content-Range": "bytes 100-199/200"],
            status: 409, code: "partElsewhere", details: ["received": "0"]),
        BadUpload(
            name: "a file that is too large", headers: ["Content-Range": "bytes 0-99/1001"],
            status: 413, code: "fileTooLarge", details: ["maxBytes": "1000"]),
        BadUpload(
            name: "more loose files than one may have",
            headers: ["Content-Range": "bytes 0-99/301"], status: 429, code: "tooManyLooseFiles",
            details: ["max": "1000", "maxBytes": "300"]),
        BadUpload(
            name: "a guid that is none", guid: "poster", status: 400, code: "guidIllegal"),
    ]

    @Test func badUploadIsClearErrorAndLeavesNothing() async throws {
        let server = try await RunningServer(
            site: .withFiles(),
            arguments: ["--max-file-bytes", "1000", "--max-loose-file-bytes", "300"])
        let a = try server.client("a")
        for bad in Self.badUploads {
            let answer = try await a.put(bad.guid, Self.bytes, headers: bad.headers)
            #expect(answer.status == bad.status, "\(bad.name)")
            let error = try answer.error()
            #expect(error.code == bad.code, "\(bad.name): \(answer.text)")
            #expect(error.details == bad.details, "\(bad.name)")
        }
        #expect(try await server.site.blobs() == [:])
        #expect(try await a.put(fresh(), Self.bytes).status == 201)
    }

    @Test func uploadingNeedsTheRightToSetFile() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let answer = try await server.client("a").put(fresh(), Self.bytes)
        #expect(answer.status == 403)
        #expect(try answer.error().code == "uploadNotAllowed")
    }

    @Test(arguments: ["Content-Range: bytes 0-3/10\r\n", ""])
    func bodyInPiecesOfUnsaidLengthMustHaveLengthOfItsRange(range: String) async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        for piece in ["5\r\nabcde\r\n", "3\r\nabc\r\n"] {
            let connection = try RawConnection(port: server.port)
            connection.send(
                """
                PUT /v1/test/files/\(fresh()) HTTP/1.1\r
                Host: x\r
                Connection: close\r
                Authorization: Bearer \(a.token)\r
                Repr-Digest: \(digest(of: Self.bytes))\r
                \(range)Transfer-Encoding: chunked\r
                \r
                \(piece)0\r
                \r

                """)
            let answer = await connection.receiveAll()
            let code = range.isEmpty ? "lengthMissing" : "bodyBroken"
            #expect(answer.contains(#""code":"\#(code)""#), "\(answer)")
        }
    }

    @Test func uploadMayTakeItsTimeIfItGetsOn() async throws {
        let server = try await RunningServer(
            site: .withFiles(), arguments: ["--max-body-seconds", "4"])
        let a = try server.client("a")
        let answer = try await attempted { try await slowUpload(by: a) }
        #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(answer)")
    }

    /// The answer to an upload that takes longer than four seconds; nil if it took more than two
    /// seconds to get on, and was not accepted.
    private func slowUpload(by client: Client) async throws -> String? {
        let (guid, bytes) = (fresh(), someBytes(400_000))
        let connection = try RawConnection(port: client.server.port)
        let start = ContinuousClock.now
        var pace = Pace()
        connection.send(
            client.wireUpload(
                of: guid, digest: digest(of: bytes), length: bytes.count,
                headers: "Connection: close\r\n"))
        try await waitUntilKnown(guid, to: client)
        for step in 1...4 {
            connection.send(bytes[(step - 1) * 100_000..<step * 100_000])
            pace.step()
            _ = try await asked(
                { try await client.uploadState(of: guid).received },
                until: { $0 >= step * 100_000 || connection.hasAnswer })
            // Repeats until most of the time limit has passed.
            while step < 4, start.duration(to: .now) < .seconds(1.5 * Double(step)) {
                _ = try await client.uploadState(of: guid)
            }
        }
        let answer = await connection.receiveAll()
        let isAccepted = answer.hasPrefix("HTTP/1.1 201 ")
        #expect(!isAccepted || start.duration(to: .now) > .seconds(4))
        return isAccepted || pace.longest <= .seconds(2) ? answer : nil
    }

    @Test func slowUploadIsEndedAndItsBytesAreKept() async throws {
        let server = try await RunningServer(
            site: .withFiles(), arguments: ["--max-body-seconds", "5"])
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), someBytes(100_000))
        let connection = try RawConnection(port: server.port)
        connection.send(
            a.wireUpload(of: guid, digest: digest(of: bytes), length: bytes.count)
                + bytes.prefix(50_000))
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
        #expect(answer.contains(#""code":"bodyTooSlow""#), "\(answer)")
        #expect(try await a.uploadState(of: guid).received == 50_000)
        #expect(try await a.put(guid, bytes, from: 50_000).status == 201)
    }

    @Test func onlySoManyUploadsRunAtATime() async throws {
        let server = try await RunningServer(
            site: .withFiles(), processes: 1,
            arguments: ["--max-uploads", "9", "--max-body-seconds", "600"])
        let (a, b) = (try server.client("a"), try server.client("b"))
        func begin(_ client: Client) async throws -> RawConnection {
            let (guid, connection) = (fresh(), try RawConnection(port: server.port))
            connection.send(
                client.wireUpload(of: guid, digest: digest(of: Self.bytes), length: 100))
            try await waitUntilKnown(guid, to: client)
            return connection
        }
        var running: [RawConnection] = []
        for _ in 0..<8 { running.append(try await begin(a)) }
        let own = try await a.put(fresh(), Self.bytes)
        #expect(own.status == 429 && own.header("Retry-After") == "1")
        #expect(try own.error().code == "tooManyUploads")
        running.append(try await begin(b))
        let any = try await b.put(fresh(), Self.bytes)
        #expect(any.status == 503)
        #expect(try any.error().code == "tooManyUploads")
        running.removeFirst().close()
        let status = try await asked(
            { try await b.put(fresh(), Self.bytes).status }, until: { $0 != 503 })
        #expect(status == 201)
    }
}

/// Waits until the server has begun with an upload.
func waitUntilKnown(_ guid: String, to client: Client) async throws {
    _ = try await asked({ try? await client.uploadState(of: guid) }, until: { $0 != nil })
}
