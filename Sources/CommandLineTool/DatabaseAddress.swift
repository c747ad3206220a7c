import PostgresStore
import SyncEngine

/// The location of a database.
enum DatabaseAddress: CustomStringConvertible {
    /// An SQLite file.
    case file(String)
    case server(PostgresAddress)

    init(_ text: String) throws(ToolFailure) {
        guard PostgresAddress.isMeant(by: text) else {
            try Self.checkIsPath(text)
            self = .file(text)
            return
        }
        do {
            self = .server(try PostgresAddress(text))
        } catch {
            throw ToolFailure(
                .wrongUsage, "the address of the database cannot be used: \(reason(error))",
                help: "write it as in postgres://user@host:5432/name; letters other than those of "
                    + "names are written as in URLs, '@' as %40")
        }
    }

    /// Throws if the text is an address of another kind, which would become the name of a file.
    private static func checkIsPath(_ text: String) throws(ToolFailure) {
        guard let parts = text.wholeMatch(of: /([A-Za-z][A-Za-z0-9+.\-]+):(\/\/)?(.*)/) else {
            return
        }
        let kind = parts.1.lowercased()
        switch kind {
        case "postgres", "postgresql":
            throw ToolFailure(
                .wrongUsage, "'\(parts.1):' is not the address of a PostgreSQL database",
                help: "write it as in postgres://user@host:5432/name")
        case "sqlite", "sqlite3", "file":
            throw ToolFailure(
                .wrongUsage, "a file is named by its path, without '\(parts.1):'",
                help: parts.3.isEmpty ? "write it as in app.sqlite" : "write '\(parts.3)'")
        case _:
            guard parts.2 != nil || otherDatabases.contains(kind) else { return }
            throw ToolFailure(
                .wrongUsage, "a database of the kind '\(parts.1)' cannot be used",
                help: "name an SQLite file, as in app.sqlite, or a PostgreSQL database, as in "
                    + "postgres://user@host:5432/name")
        }
    }

    private static let otherDatabases = [
        "mysql", "mariadb", "mongodb", "oracle", "sqlserver", "redis", "http", "https",
    ]

    /// For display: without a password.
    var description: String {
        switch self {
        case .file(let path): path
        case .server(let address): address.description
        }
    }
}

private func reason(_ error: StoreError) -> String {
    switch error {
    case .unreadable(let text, _), .failed(let text), .unavailable(let text): text
    case .busy, .stopping, .cancelled, .memoryFull, .outOfSpace: "\(error)"
    }
}
