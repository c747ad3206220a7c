import Foundation
import Hashing
import JSON
import SyncProtocol
import TestKit
import Testing

extension Client {
    private func path(of guid: String) -> String { "/v1/test/files/\(guid)" }

    private func ask(
        _ method: String, _ path: String, body: Data? = nil, _ headers: [String: String]
    ) async throws -> Answer {
        try await server.request(
            method, path, body: body,
            headers: ["Authorization": "Bearer \(token)"].merging(headers) { $1 })
    }

    /// Uploads a whole file, or the part from an offset.
    func put(
        _ guid: String, _ bytes: Data, from first: Int = 0, headers: [String: String] = [:]
    ) async throws -> Answer {
        var own = ["Repr-Digest": digest(of: bytes)]
        if first > 0 { own["Content-Range"] = contentRange(first..<bytes.count, of: bytes.count) }
        return try await ask(
            "PUT", path(of: guid), body: bytes.dropFirst(first), own.merging(headers) { $1 })
    }

    func get(
        _ guid: String, method: String = "GET", headers: [String: String] = [:]
    ) async throws -> Answer {
        try await ask(method, path(of: guid), headers)
    }

    func uploadState(of guid: String) async throws -> UploadMessage {
        let answer = try await ask("GET", path(of: guid) + "/upload", [:])
        guard answer.status == 200 else { throw Unexpected(answer.text) }
        return try answer.message(as: UploadMessage.self)
    }

    /// Waits until the server has received a number of bytes of an upload.
    func waitForUpload(of guid: String, bytes: Int64) async throws {
        _ = try await asked({ try await uploadState(of: guid).received }, until: { $0 >= bytes })
    }

    /// The head of an upload request as text.
    func wireUpload(
        of guid: String, digest: String, length: Int, headers: String = ""
    ) -> Data {
        Data(
            """
            PUT /v1/test/files/\(guid) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            Repr-Digest: \(digest)\r
            \(headers)Content-Length: \(length)\r
            \r

            """.utf8)
    }

    /// Creates a record with a file in a field.
    @discardableResult
    func attach(
        _ file: String, to record: String = fresh(), in field: String = "poster"
    ) async throws -> OutcomeMessage {
        try await push(
            .create(
                record, of: "PermissionsEntity",
                [
                    "title": "Solaris",
                    field: .object(["guid": .string(file), "filename": "a poster.jpg"]),
                ]))
    }
}

func digest(of bytes: Data) -> String {
    "sha-256=:\(Data(SHA256.hash([UInt8](bytes))).base64EncodedString()):"
}

func contentRange(_ range: Range<Int>, of total: Int) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
}

func hex(of bytes: Data) -> String {
    SHA256.hash([UInt8](bytes)).map { String(format: "%02x", $0) }.joined()
}

/// Bytes without a period, so that any shift is detected.
func someBytes(_ count: Int, seed: UInt8 = 0) -> Data {
    var bytes = Data(capacity: count + 32)
    var block = [seed]
    while bytes.count < count {
        block = SHA256.hash(block)
        bytes += block
    }
    return bytes.prefix(count)
}

extension Site {
    /// A site with films that have a `poster` for everybody and a `contract` for the owner.
    static func withFiles() async throws -> Site {
        try await Site(prepared: "Permissions") { _ in
            String(
                decoding: try bytes(ofFile: "Tests/KilledDevice/application.xml"), as: UTF8.self)
        }
    }

    /// The stored contents of files by path relative to the folder. For contents in a database, the
    /// path is the one they would have in the folder.
    func blobs() async throws -> [String: Data] {
        guard Backend.current == .sqlite else { return try await storedVault() }
        let prefix = "app.sqlite.files/"
        let files = try folder.files().filter { $0.key.hasPrefix(prefix) }
        return Dictionary(
            uniqueKeysWithValues: files.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    private func storedVault() async throws -> [String: Data] {
        let rows = try await sql(
            """
            SELECT name, coalesce((SELECT encode(string_agg(bytes, '' ORDER BY start), 'base64')
                FROM body_parts WHERE body_parts.body = named.body), '')
            FROM (SELECT left(sha256, 2) || '/' || sha256 AS name, body FROM contents
                UNION ALL SELECT 'uploads/' || id, body FROM uploads) AS named
            """)
        // The database breaks Base64 into lines.
        var files: [String: String] = [:]
        var name = ""
        for line in rows.split(separator: "\n") {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            if parts.count == 2 { name = String(parts[0]) }
            files[name, default: ""] += parts.last ?? ""
        }
        return files.compactMapValues { Data(base64Encoded: $0) }
    }
}
