import Foundation
import PostgresKit
import Testing

/// The kind of database that the servers of this run use, and the number of server processes per
/// database.
///
/// With `WAGGLE_TEST_DATABASE=postgres` every test uses PostgreSQL. `WAGGLE_TEST_SERVERS` then is
/// the number of processes of a test's server. Each access to its port returns that of the next
/// process, so that clients move with every request.
enum Backend: String {
    case sqlite, postgres

    static let current: Backend = {
        let name = ProcessInfo.processInfo.environment["WAGGLE_TEST_DATABASE"] ?? "sqlite"
        guard let backend = Backend(rawValue: name) else {
            fatalError("WAGGLE_TEST_DATABASE is '\(name)': sqlite and postgres are known")
        }
        return backend
    }()

    /// The kind of database to move an environment to.
    var other: Backend {
        switch self {
        case .sqlite: .postgres
        case .postgres: .sqlite
        }
    }

    static let servers =
        ProcessInfo.processInfo.environment["WAGGLE_TEST_SERVERS"]
        .flatMap(Int.init) ?? 1
}

extension Trait where Self == ConditionTrait {
    /// For tests of files on the local disk.
    static var withAFile: Self {
        .enabled("the data is not in a file") { Backend.current == .sqlite }
    }

    /// For tests of several processes on one database.
    static var withManyProcesses: Self {
        .enabled("the data is in a file, which one process serves") {
            Backend.current == .postgres
        }
    }
}

/// The database of a site.
enum SiteDatabase: Sendable {
    case file(String)
    case server(PostgresTestDatabase)

    /// The argument for the tool.
    var address: String {
        switch self {
        case .file(let path): path
        case .server(let database): database.address
        }
    }

    /// Creates an empty database or a copy.
    static func make(
        _ backend: Backend = .current, in folder: TemporaryFolder, named name: String = "app.sqlite"
    ) throws -> SiteDatabase {
        switch backend {
        case .sqlite: .file(folder.path(name))
        case .postgres: .server(try PostgresCluster.shared().makeDatabase())
        }
    }

    /// The command that executes SQL statements and prints the results: values separated by `|`,
    /// one row per line.
    func shell(_ statements: String) -> (arguments: [String], environment: [String: String]) {
        switch self {
        case .file(let path):
            (["sqlite3", "-batch", "-cmd", ".timeout 10000", path, statements], [:])
        case .server(let database):
            (
                [
                    "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
                    "--set=ON_ERROR_STOP=1", database.address, "--command=\(statements)",
                ], ["PGOPTIONS": "-c search_path=waggle"]
            )
        }
    }
}
