import ArchiveKit
import Archives
import DefinitionCompiler
import DefinitionModel
import Foundation
import JSON
import SyncProtocol
import Testing

/// A client of the original cloud, which sends requests like the original libraries, byte by byte.
struct OriginalClient: Sendable {
    /// The platforms differ in how they write archives.
    enum Platform: CaseIterable, Sendable {
        /// Deflated; sizes follow the contents.
        case java
        /// Deflated; sizes precede the contents. The value of a file is a JSON object.
        case apple
        /// Stored without compression.
        case windows
    }

    let server: RunningServer
    /// Where it sends requests; nil for the server itself.
    var front: HTTPSAddress?
    var login: String
    var password: String
    var deviceIdentifier: String
    var digest: String
    var vendor: String
    var application: String
    var deviceCategory = "mobile"
    var environment = "test"
    var platform = Platform.java
    var library = "1.5.0"

    init(
        _ login: String, on deviceIdentifier: String = "phone", of server: RunningServer
    ) throws {
        let text = try String(contentsOfFile: server.site.definition, encoding: .utf8)
        let file = SourceFile(name: "application.xml", bytes: Array(text.utf8))
        let definition = try #require(compile(file).definition)
        self.server = server
        self.login = login
        self.deviceIdentifier = deviceIdentifier
        password = PreparedDatabase.password(of: login)
        digest = definition.digest
        vendor = definition.vendor
        application = definition.application
    }

    func with(_ change: (inout OriginalClient) -> Void) -> OriginalClient {
        var client = self
        change(&client)
        return client
    }

    var headers: [String: String] {
        [
            "mas-vendor-name": vendor, "mas-application-name": application,
            "mas-application-instance-name": environment, "mas-definition-digest": digest,
            "mas-device-name": deviceCategory, "mas-device-identifier": deviceIdentifier,
            "mas-user-name": login, "mas-user-password": password, "mas-sdk-version": library,
        ]
    }

    func ask(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        let (path, headers) = ("/sync/v2/\(path)", self.headers.merging(headers) { $1 })
        guard let front else {
            return try await server.request(method, path, body: body, headers: headers)
        }
        return try await front.request(method, path, body: body, headers: headers)
    }

    /// Sends a request that must succeed.
    func get(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        let answer = try await ask(method, path, body: body, headers: headers)
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return answer
    }
}

// MARK: - Synchronizing

extension OriginalClient {
    private static let boundary = "---------------------------14737809831466499882746641449"

    /// Uploads an arbitrary archive.
    func post(archive: [UInt8]) async throws -> Answer {
        try await ask(
            "POST", "synchronize", body: Self.body(of: archive), headers: Self.contentType)
    }

    static let contentType = ["Content-Type": "multipart/form-data; boundary=\(boundary)"]

    static func body(of archive: [UInt8]) -> Data {
        let head = """
            \r
            --\(boundary)\r
            content-disposition: form-data; name="file"; filename="file"\r
            content-type: application/octet-stream\r
            \r

            """
        return Data(head.utf8) + Data(archive) + Data("\r\n--\(boundary)--\r\n".utf8)
    }

    /// Packs records and files.
    func archive(
        _ lines: [OriginalLine], files: [String: [UInt8]] = [:]
    ) throws -> [UInt8] {
        let text = try lines.map { try $0.text(on: platform) + "\n" }.joined()
        let entries =
            [("data", Array(text.utf8)), ("deletedFiles", [])]
            + files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return HandMadeArchive(
            try entries.map { name, contents in
                switch platform {
                case .java: try HandMadeEntry(name, deflating: contents).withDescriptor()
                case .apple: try HandMadeEntry(name, deflating: contents)
                case .windows: HandMadeEntry(name, contents)
                }
            }
        ).bytes
    }

    /// Uploads records, and returns the ticket.
    func send(
        _ lines: [OriginalLine], files: [String: [UInt8]] = [:]
    ) async throws -> String {
        let answer = try await post(archive: try archive(lines, files: files))
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return answer.text
    }

    func status(of ticket: String) async throws -> OriginalStatus {
        try await get("GET", "checkStatus?ticket=\(ticket)").message(as: OriginalStatus.self)
    }

    func data(of ticket: String) async throws -> OriginalDelivery {
        try OriginalDelivery(
            archive: try await get("GET", "data?ticket=\(ticket)").body)
    }

    func confirm(_ ticket: String) async throws {
        _ = try await get("POST", "confirm?ticket=\(ticket)", body: Data())
    }

    /// A complete synchronization.
    @discardableResult
    func synchronize(
        _ lines: [OriginalLine] = [], files: [String: [UInt8]] = [:]
    ) async throws -> OriginalDelivery {
        let ticket = try await send(lines, files: files)
        #expect(try await status(of: ticket) == .finished)
        let delivery = try await data(of: ticket)
        try await confirm(ticket)
        return delivery
    }

    /// Uploads records of which something must be refused, without the client being stopped.
    /// Returns what the operator sees.
    func refusals(of lines: [OriginalLine]) async throws -> [ListedRefusal] {
        let before = try await server.site.refusals()
        try await synchronize(lines)
        return Array(try await server.site.refusals().dropFirst(before.count))
    }
}

struct OriginalStatus: Codable, Hashable {
    let status: String
    let result: String
    let message: String

    static let finished = OriginalStatus(status: "FINISHED", result: "OK", message: "")
}

/// An error in the format of the original clients.
struct OriginalError: Decodable, Hashable {
    let code: String
    let message: String
    let arguments: [String]

    init(_ answer: Answer) throws {
        #expect(answer.status == 500, "\(answer.status) \(answer.text)")
        self = try answer.message(as: OriginalError.self)
    }
}

// MARK: - Records

/// A record in the format of the original clients: every field as a string.
struct OriginalLine: Hashable, Sendable {
    var model: String
    var guid: String
    var fields: [String: JSONValue]
    var isDeleted = false
    var resolves = false

    init(_ guid: String, of model: String, _ fields: [String: JSONValue]) {
        self.guid = guid
        self.model = model
        self.fields = fields
    }

    func with(_ change: (inout OriginalLine) -> Void) -> OriginalLine {
        var line = self
        change(&line)
        return line
    }

    func text(on platform: OriginalClient.Platform) throws -> String {
        var fields = fields
        fields["s_deleted"] = .string(String(isDeleted))
        for (name, value) in fields where platform != .apple {
            guard case .object = value else { continue }
            fields[name] = .string(try json(value))
        }
        return try json(
            .object([
                "model": .string(model), "guid": .string(guid), "owner": .null, "group": .null,
                "resolveConflict": .boolean(resolves),
                "conflictState": .string("NO_IN_CONFLICT"), "fields": .object(fields),
            ]))
    }

    private func json(_ value: JSONValue) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}

/// The contents of a downloaded archive.
struct OriginalDelivery {
    struct Line: Decodable, Hashable {
        let model: String
        let guid: String
        let owner: String?
        let group: String?
        let conflictState: String
        let resolveConflict: Bool
        let fields: [String: String?]?
        // In a history only.
        let user: String?
        let device: String?
        let date: Int64?

        /// Whether the client removes the record.
        var isDeleted: Bool { (fields?["s_deleted"] ?? nil) == "true" }

        /// Nil for null and for an absent field.
        subscript(_ field: String) -> String? { fields?[field] ?? nil }
    }

    let lines: [Line]
    let files: [String: [UInt8]]
    let deletedFiles: [String]

    init(archive bytes: Data) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("answer.zip")
        try bytes.write(to: URL(filePath: path))
        let archive = try ArchiveReader(path: path)
        let reader = try archive.lines(of: "data", maxBytes: 1 << 20)
        var lines: [Line] = []
        while let line = try reader.next() {
            lines.append(try JSONDecoder().decode(Line.self, from: Data(line)))
        }
        let deleted = try archive.lines(of: "deletedFiles", maxBytes: 100)
        var deletedFiles: [String] = []
        while let line = try deleted.next() {
            deletedFiles.append(String(decoding: line, as: UTF8.self))
        }
        self.deletedFiles = deletedFiles
        #expect(lines.allSatisfy { ["true", "false"].contains($0["s_deleted"]) })
        self.lines = lines
        files = Dictionary(
            uniqueKeysWithValues: try archive.entries
                .filter { !["data", "deletedFiles"].contains($0.name) }
                .map { ($0.name, try archive.read($0.name).next(Int($0.size))) })
    }

    /// The only line of a record.
    func line(_ guid: String) throws -> Line {
        let found = lines.filter { $0.guid == guid }
        #expect(found.count == 1)
        return try #require(found.first)
    }
}
