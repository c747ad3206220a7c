import Archives
import Foundation
import JSON
import PostgresKit
import SyncProtocol
import TestKit
import Testing

/// A copy of a database that an earlier version wrote; see `Fixtures/README.md`.
struct EarlierDatabase {
    /// A site with the latest definition of `test`, and the database.
    let site: Site
    /// The definition of `production`.
    private let first: String
    private let fixture: String
    private let contents: Contents

    private struct Contents: Decodable {
        let test: [EarlierQuestion]
        let production: [EarlierQuestion]
        let live: EarlierEvents
        let sessions: [String: String]
        let seen: String
    }

    /// Removes the copy afterwards, so that no other test reuses its tables.
    static func use(
        _ version: String, in backend: Backend,
        _ body: (EarlierDatabase) async throws -> Void
    ) async throws {
        let data: SiteDatabase
        let folder = try TemporaryFolder()
        switch backend {
        case .sqlite: data = .file(folder.path("app.sqlite"))
        case .postgres: data = .server(try PostgresCluster.shared().makeDatabase())
        }
        let database = try EarlierDatabase(version, in: backend, copiedTo: data)
        do {
            try await database.fill(data)
            try await body(database)
        } catch {
            try await empty(data, in: folder)
            throw error
        }
        try await empty(data, in: folder)
    }

    private init(_ version: String, in backend: Backend, copiedTo data: SiteDatabase) throws {
        let folder = "Tests/EndToEndTests/Fixtures/\(version)"
        fixture = "\(folder)/\(backend.rawValue)"
        let text = { (name: String) throws -> String in
            String(decoding: try bytes(ofFile: "\(folder)/\(name)"), as: UTF8.self)
        }
        site = try Site(definition: try text("application.xml")).keeping(in: data)
        first = try site.writing(try text("first.xml"), to: "first.xml")
        contents = try JSONDecoder().decode(
            Contents.self, from: Data(bytes(ofFile: "\(fixture)/asked.json")))
    }

    private func fill(_ data: SiteDatabase) async throws {
        switch data {
        case .file(let path):
            try copy("server.sqlite", to: path)
            try copy("server.sqlite.files", to: path + ".files")
        case .server:
            try await Self.psql(
                data, "--command=DROP SCHEMA IF EXISTS waggle CASCADE",
                "--file=\(repositoryPath("\(fixture)/server.sql"))", in: site.folder)
        }
    }

    private static func empty(_ data: SiteDatabase, in folder: TemporaryFolder) async throws {
        guard case .server = data else { return }
        try await psql(data, "--command=DROP SCHEMA IF EXISTS waggle CASCADE", in: folder)
    }

    private static func psql(
        _ data: SiteDatabase, _ arguments: String..., in folder: TemporaryFolder
    ) async throws {
        let finished = try await Program(
            path: "/usr/bin/env",
            arguments: ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", data.address]
                + arguments,
            folder: folder
        ).run()
        guard finished.exitCode == 0 else { throw Unexpected("psql: \(finished.errors)") }
    }

    /// Copies a file or folder of the fixture.
    func copy(_ name: String, to path: String) throws {
        try FileManager.default.copyItem(
            atPath: repositoryPath("\(fixture)/\(name)"), toPath: path)
    }

    func text(of name: String) throws -> String {
        String(decoding: try bytes(ofFile: "\(fixture)/\(name)"), as: UTF8.self)
    }

    // MARK: - Recorded requests

    enum Environment: String, CaseIterable, Sendable {
        case test, production
    }

    func server(of environment: Environment) async throws -> RunningServer {
        // Longer than the age of any fixture.
        let keeping = ["deleted", "loose-file", "notification"].flatMap {
            ["--keep-\($0)-days", "36500"]
        }
        return try await RunningServer(
            site: environment == .test ? site : site.serving(first),
            arguments: ["--environment", environment.rawValue] + keeping)
    }

    func questions(of environment: Environment) -> [EarlierQuestion] {
        switch environment {
        case .test: contents.test
        case .production: contents.production
        }
    }

    /// The notifications sent after a client's last event.
    var events: EarlierEvents { contents.live }

    /// A user who was signed in.
    func client(_ login: String, of server: RunningServer) throws -> Client {
        Client(server: server, token: try #require(contents.sessions[login]))
    }

    /// The cursor of `ann` before the second definition was deployed.
    var cursorOfAnn: String { contents.seen }
}

/// A request without side effects, and the recorded answer.
struct EarlierQuestion: Decodable {
    let method: String
    let path: String
    let headers: [String: String]
    let body: String?
    let answer: JSONValue

    func asked(of server: RunningServer) async throws -> JSONValue {
        let answer = try await server.request(
            method, path, body: body.map { Data($0.utf8) }, headers: headers)
        return .object(
            ["status": .integer(Int64(answer.status))].merging(try contents(of: answer)) { $1 })
    }

    /// Normalises like `readable` in `server.py`.
    private func contents(of answer: Answer) throws -> [String: JSONValue] {
        if answer.body.starts(with: Data("PK".utf8)) {
            return ["lines": .array(try lines(ofArchive: answer.body))]
        }
        guard let json = try? parseJSON(Array(answer.body)) else {
            return ["text": .string(answer.text)]
        }
        guard case .object(let members) = json else { return ["json": json] }
        return ["json": .object(members.filter { $0.key != "cursor" })]
    }

    private func lines(ofArchive bytes: Data) throws -> [JSONValue] {
        let folder = try TemporaryFolder()
        let reader = try ArchiveReader(path: try folder.write(bytes, to: "answer.zip"))
            .lines(of: "data", maxBytes: 1 << 20)
        var lines: [JSONValue] = []
        while let line = try reader.next() { lines.append(try parseJSON(line)) }
        return lines
    }
}

struct EarlierEvents: Decodable {
    let lastEventID: String
    /// The cursor for the next notifications.
    let ids: [String]
}
