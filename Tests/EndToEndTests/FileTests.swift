import Foundation
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FileTests {
    @Test func fileGoesUpAndComesDownAsItIs() async throws {
        let server = try await RunningServer(site: .withFiles())
        let (a, b) = (try server.client("a"), try server.client("b"))
        let (guid, bytes) = (fresh(), someBytes(300_000))
        let sent = try await a.put(guid, bytes)
        #expect(sent.status == 201)
        #expect(
            try sent.message(as: UploadMessage.self)
                == UploadMessage(guid: guid, complete: true, received: 300_000, size: 300_000))
        #expect(try await b.get(guid).status == 404)
        #expect(try await a.attach(guid).outcome == .accepted)
        for client in [a, b] {
            let answer = try await client.get(guid)
            #expect(answer.status == 200 && answer.body == bytes)
        }
        #expect(try await a.put(guid, bytes).status == 200)
        let other = try await a.put(guid, someBytes(5))
        #expect(other.status == 409)
        #expect(try other.error().code == "fileExists")
    }

    /// Browsers do not display or execute uploaded contents, and caches do not store them.
    @Test func downloadHasNoHeadersOfItsUploader() async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), Data("<script>alert(1)</script>".utf8))
        _ = try await a.put(guid, bytes, headers: ["Content-Type": "text/html"])
        try await a.attach(guid)
        let answer = try await a.get(guid)
        let expected = [
            "Content-Type": "application/octet-stream", "Content-Disposition": "attachment",
            "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
            "Content-Security-Policy": "default-src 'none'; sandbox", "Accept-Ranges": "bytes",
            "ETag": "\"\(hex(of: bytes))\"", "Repr-Digest": digest(of: bytes),
            "Content-Length": "\(bytes.count)",
        ]
        for (name, value) in expected { #expect(answer.header(name) == value, "\(name)") }
        let head = try await a.get(guid, method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty)
        for (name, value) in expected { #expect(head.header(name) == value, "HEAD \(name)") }
        #expect(!answer.headers.values.contains { $0.contains("poster") })
    }

    @Test func equalContentsLieInFolderOnce() async throws {
        let server = try await RunningServer(site: .withFiles())
        let bytes = someBytes(1000)
        for client in [try server.client("a"), try server.client("b")] {
            #expect(try await client.put(fresh(), bytes).status == 201)
            #expect(try await client.put(fresh(), bytes).status == 201)
        }
        let hash = hex(of: bytes)
        #expect(try await server.site.blobs() == ["\(hash.prefix(2))/\(hash)": bytes])
    }

    @Test func contentsGoWithLastEnvironment() async throws {
        let site = try await Site.withFiles()
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        let file = fresh()
        #expect(try await a.put(file, someBytes(1000)).status == 201)
        try await a.attach(file)
        await server.stop()
        #expect(try await site.blobs().count == 1)
        let removed = try await site.waggle("environment", "remove", "test", "--yes")
        #expect(removed.exitCode == 0, "\(removed.errors)")
        #expect(removed.errors.contains("removed contents: 1"), "\(removed.errors)")
        #expect(try await site.blobs() == [:])
    }

    /// As after a removal beside a backup, which holds all contents.
    @Test(.withAFile) func contentsWithoutEnvironmentAreSwept() async throws {
        let site = try await Site.withFiles()
        let removed = try await site.waggle("environment", "remove", "test", "--yes")
        #expect(removed.exitCode == 0, "\(removed.errors)")
        let bytes = someBytes(1000)
        let folder = site.folder.path("app.sqlite.files/\(hex(of: bytes).prefix(2))")
        func leave() async throws {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try bytes.write(to: URL(filePath: "\(folder)/\(hex(of: bytes))"))
            #expect(try await site.blobs().count == 1)
        }
        try await leave()
        let swept = try await site.waggle("sweep")
        #expect(swept.exitCode == 0, "\(swept.errors)")
        #expect(swept.errors.contains("removed contents: 1"), "\(swept.errors)")
        #expect(try await site.blobs() == [:])
        try await leave()
        let server = try await ServerProcess(site: site, environments: 0, lines: 3)
        while server.isRunning, try !server.log().contains(#""message":"removed files""#) {
            await Task.yield()
        }
        #expect(try await site.blobs() == [:])
    }

    /// The response is the same as for an unknown guid, except for the date.
    @Test func invisibleFilesAnswerLikeUnknownOnes() async throws {
        let server = try await RunningServer(site: .withFiles())
        let (a, b) = (try server.client("a"), try server.client("b"))
        let (loose, hidden, deleted, half) = (fresh(), fresh(), fresh(), fresh())
        for guid in [loose, hidden, deleted] { _ = try await a.put(guid, someBytes(10)) }
        try await a.attach(hidden, in: "contract")
        let record = fresh()
        try await a.attach(deleted, to: record)
        #expect(try await b.get(deleted).status == 200)
        try await a.push(.delete(record, of: "PermissionsEntity", from: 1))
        try await a.attach(half, in: "contract")
        for headers in [[:], ["Range": "bytes=0-1"], ["If-None-Match": "*"]] {
            for method in ["GET", "HEAD"] {
                let never = try await b.get(fresh(), method: method, headers: headers)
                #expect(never.status == 404)
                for guid in [loose, hidden, deleted, half, "no-guid", "..%2f..%2fapp.sqlite"] {
                    let answer = try await b.get(guid, method: method, headers: headers)
                    #expect(answer.status == 404 && answer.body == never.body)
                    #expect(answer.lastingHeaders == never.lastingHeaders)
                }
            }
        }
        #expect(try await a.get(half).error().code == "fileAwaited")
    }

    @Test func fileOfSomebodyElseIsNeitherNamedNorSent() async throws {
        let server = try await RunningServer(site: .withFiles())
        let (a, b) = (try server.client("a"), try server.client("b"))
        let (guid, bytes) = (fresh(), someBytes(10))
        _ = try await a.put(guid, bytes)
        try await a.attach(guid, in: "contract")
        let stolen = try await b.attach(guid)
        #expect(stolen.outcome == .refused)
        #expect(stolen.causes?.map(\.code) == ["fileNotYours"])
        var answers: [Answer] = []
        for forged in [bytes, someBytes(10, seed: 1)] {
            let answer = try await b.put(guid, forged)
            #expect(answer.status == 409)
            #expect(try answer.error().code == "fileNotYours")
            answers.append(answer)
        }
        #expect(answers[0].body == answers[1].body)
        #expect(answers[0].lastingHeaders == answers[1].lastingHeaders)
        #expect(try await a.attach(guid).outcome == .accepted)
        #expect(try await b.get(guid).body == bytes)
        #expect(try await b.attach(guid).outcome == .accepted)
    }

    private static let ranges: [(asked: String, status: Int, range: Range<Int>)] = [
        ("bytes=0-0", 206, 0..<1), ("bytes=0-99", 206, 0..<100), ("bytes=10-19", 206, 10..<20),
        ("bytes=90-", 206, 90..<100), ("bytes=90-1000", 206, 90..<100),
        ("bytes=-1", 206, 99..<100), ("bytes=-1000", 206, 0..<100), ("Bytes=5-6", 206, 5..<7),
        ("bytes=100-", 416, 0..<0), ("bytes=-0", 416, 0..<0), ("bytes=100-200", 416, 0..<0),
        ("bytes=20-10", 200, 0..<100), ("bytes=-", 200, 0..<100), ("bytes=a-b", 200, 0..<100),
        ("bytes=0-1,5-6", 200, 0..<100), ("lines=0-1", 200, 0..<100),
        ("bytes=0-99999999999999999999", 200, 0..<100),
    ]

    @Test func partIsGotByItsRange() async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), someBytes(100))
        _ = try await a.put(guid, bytes)
        for (asked, status, range) in Self.ranges {
            let answer = try await a.get(guid, headers: ["Range": asked])
            #expect(answer.status == status, "\(asked)")
            switch status {
            case 206:
                #expect(answer.header("Content-Range") == contentRange(range, of: 100), "\(asked)")
                #expect(answer.body == bytes[range], "\(asked)")
            case 416:
                #expect(answer.header("Content-Range") == "bytes */100", "\(asked)")
                #expect(try answer.error().code == "rangeUnsatisfiable")
            default: #expect(answer.body == bytes, "\(asked)")
            }
        }
        let tag = "\"\(hex(of: bytes))\""
        let conditions: [(headers: [String: String], status: Int)] = [
            (["Range": "bytes=0-1", "If-Range": tag], 206),
            (["Range": "bytes=0-1", "If-Range": "\"other\""], 200),
            (["If-None-Match": tag], 304), (["If-None-Match": "\"other\", W/\(tag)"], 304),
            (["If-None-Match": "*"], 304), (["If-None-Match": "\"other\""], 200),
        ]
        for (headers, status) in conditions {
            #expect(try await a.get(guid, headers: headers).status == status, "\(headers)")
        }
    }

    @Test func unreferencedFilesArePurged() async throws {
        let server = try await RunningServer(site: .withFiles())
        let a = try server.client("a")
        let (named, loose) = (fresh(), fresh())
        for (guid, bytes) in [(named, someBytes(10)), (loose, someBytes(20))] {
            #expect(try await a.put(guid, bytes).status == 201)
        }
        try await a.attach(named)
        let part = [
            "Repr-Digest": digest(of: someBytes(30)), "Content-Range": "bytes 0-8/30",
        ]
        #expect(try await a.put(fresh(), someBytes(9), headers: part).status == 202)
        let later = try await server.site.waggle("sweep")
        #expect(later.errors.contains("purged files: 0, removed contents: 0"))
        #expect(try await server.site.blobs().count == 3)
        let now = try await server.site.waggle("sweep", "--keep-loose-file-days", "0")
        #expect(now.exitCode == 0, "\(now.errors)")
        #expect(now.errors.contains("purged files: 2, removed contents: 1"))
        #expect(try await server.site.blobs().map(\.value) == [someBytes(10)])
        #expect(try await a.get(named).body == someBytes(10))
        #expect(try await a.get(loose).status == 404)
    }

    @Test func errorToHeadHasNoBodySoConnectionGoesOn() async throws {
        let server = try await RunningServer(site: .withFiles())
        let token = try server.client("a").token
        let connection = try RawConnection(port: server.port)
        for path in ["files/\(fresh())", "sync"] {
            connection.send(
                """
                HEAD /v1/test/\(path) HTTP/1.1\r\nHost: x\r\n\
                Authorization: Bearer \(token)\r\n\r\n
                """)
        }
        connection.send("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answers = await connection.receiveAll().components(separatedBy: "\r\n\r\n")
        #expect(answers.count == 4, "three heads and one body")
        #expect(answers.prefix(3).allSatisfy { $0.hasPrefix("HTTP/1.1 ") }, "\(answers)")
        #expect(answers.dropFirst(3).first?.hasPrefix(#"{"status":"ok"}"#) == true)
    }
}
