import Foundation
import PostgresKit
import SyncProtocol
import TestKit

/// A folder with a definition and a database, as an operator has it.
struct Site: Sendable {
    let folder: TemporaryFolder
    /// The `application.xml`.
    let definition: String
    private let data: SiteDatabase
    /// The tokens of signed-in users.
    let sessions: [Seat: String]
    /// A session of the operator `ann`, if the site was prepared with it.
    let designer: AdminCredentials?

    /// Nothing is deployed yet.
    init(definition text: String) throws {
        sessions = [:]
        designer = nil
        folder = try TemporaryFolder()
        definition = try folder.write(text, to: "application.xml")
        data = try SiteDatabase.make(in: folder)
    }

    /// With a copy of another site's data.
    init(definition text: String, copying prepared: PreparedDatabase) throws {
        sessions = prepared.tokens
        designer = prepared.designer
        folder = try TemporaryFolder()
        definition = try folder.write(text, to: "application.xml")
        data = try prepared.copy(in: folder)
    }

    private init(_ site: Site, definition: String, data: SiteDatabase) {
        folder = site.folder
        sessions = site.sessions
        designer = site.designer
        self.definition = definition
        self.data = data
    }

    /// The argument for the tool: a path or an address.
    var database: String { data.address }

    var isOfFile: Bool {
        if case .file = data { true } else { false }
    }

    /// The same database with another deployed definition.
    func serving(_ definition: String) -> Site {
        Site(self, definition: definition, data: data)
    }

    /// The same definition with another file.
    func keeping(in path: String) -> Site { keeping(in: .file(path)) }

    /// The same definition with another database.
    func keeping(in other: SiteDatabase) -> Site {
        Site(self, definition: definition, data: other)
    }

    func copyOfData(in other: TemporaryFolder) throws -> SiteDatabase {
        switch data {
        case .file(let path):
            let copy = other.path("app.sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            return .file(copy)
        case .server(let database): return .server(try database.copy())
        }
    }

    /// Runs a command of the tool on this database.
    func waggle(_ arguments: String..., input: String = "") async throws -> Finished {
        try await Tool.run(
            arguments + ["--database", database], input: input, in: folder)
    }

    /// Deploys a definition, and accepts by name whatever it breaks.
    func deployAcceptingAll(_ path: String, _ arguments: String...) async throws -> Finished {
        func deploy(_ accepted: [String]) async throws -> Finished {
            try await Tool.run(
                ["deploy", path, "--database", database] + arguments + accepted, in: folder)
        }
        let first = try await deploy([])
        let names = first.errors.matches(of: /--accept '([^']+)'/).map { String($0.1) }
        return names.isEmpty ? first : try await deploy(names.flatMap { ["--accept", $0] })
    }

    /// Writes another definition beside the first.
    func writing(_ text: String, to name: String) throws -> String {
        try folder.write(text, to: name)
    }

    /// The result of the database's integrity check; for PostgreSQL, its own constraints suffice.
    func isIntact() async throws -> Bool {
        switch data {
        case .file:
            try await sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok"
        case .server: true
        }
    }

    /// The SQL expression for the text of a field in the column `fields`.
    func text(of field: String) -> String {
        switch data {
        case .file: "json_extract(fields, '$.\(field)')"
        case .server: "(fields::json ->> '\(field)')"
        }
    }

    /// Executes SQL with the database's command-line tool. Values are separated by `|`, one row per
    /// line.
    @discardableResult
    func sql(_ statements: String) async throws -> String {
        let shell = data.shell(statements)
        let finished = try await Program(
            path: "/usr/bin/env", arguments: shell.arguments, environment: shell.environment,
            folder: folder
        ).run()
        guard finished.exitCode == 0 else { throw Unexpected("sql: \(finished.errors)") }
        return finished.output.trimmingCharacters(in: .newlines)
    }
}

/// An unexpected result that ends a test.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Site {
    /// The text of the definition at the position of a cause, up to the end of the line.
    func definitionText(at cause: CauseMessage) throws -> String {
        guard let line = cause.line, let column = cause.column else {
            throw Unexpected("the cause '\(cause.code)' has no place")
        }
        let text = try String(contentsOfFile: definition, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1), column <= lines[line - 1].unicodeScalars.count
        else { throw Unexpected("the definition has no place \(line):\(column)") }
        return String(lines[line - 1].unicodeScalars.dropFirst(column - 1))
    }
}
