import Foundation
import PostgresKit
import Testing

/// What the servers of this run keep their data in, and how many of them serve one database.
///
/// `WAGGLE_TEST_DATABASE=postgres` has every test keep its data on PostgreSQL, and then
/// `WAGGLE_TEST_SERVERS` says how many processes are a test's server: whoever asks for its port is
/// given that of the next of them, so that clients move at every request.
enum Backend: String {
    case sqlite, postgres

    static let current: Backend = {
        let name = ProcessInfo.processInfo.environment["WAGGLE_TEST_DATABASE"] ?? "sqlite"
        guard let backend = Backend(rawValue: name) else {
            fatalError("WAGGLE_TEST_DATABASE is '\(name)': sqlite and postgres are known")
        }
        return backend
    }()

    /// What an environment can be moved to.
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
    /// For tests of what lies on the disk of one machine.
    static var withAFile: Self {
        .enabled("the data is not in a file") { Backend.current == .sqlite }
    }

    /// For tests of many processes that work on one database.
    static var withManyProcesses: Self {
        .enabled("the data is in a file, which one process serves") {
            Backend.current == .postgres
        }
    }
}

/// Where a site has its data.
enum SiteDatabase: Sendable {
    case file(String)
    case server(PostgresTestDatabase)

    /// As the tool is told.
    var address: String {
        switch self {
        case .file(let path): path
        case .server(let database): database.address
        }
    }

    /// An empty one, or a copy.
    static func make(
        _ backend: Backend = .current, in folder: TemporaryFolder, named name: String = "app.sqlite"
    ) throws -> SiteDatabase {
        switch backend {
        case .sqlite: .file(folder.path(name))
        case .postgres: .server(try PostgresCluster.shared().makeDatabase())
        }
    }

    /// The program that carries out statements on it, and prints what they give: values of a row
    /// separated by `|`, rows by line ends.
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
