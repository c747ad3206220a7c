import PostgresStore
import SyncEngine

/// The location of a database.
enum DatabaseAddress: CustomStringConvertible {
    /// An SQLite file.
    case file(String)
    case server(PostgresAddress)

    init(_ text: String) throws(ToolFailure) {
        guard PostgresAddress.isMeant(by: text) else {
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
    case .busy, .stopping, .outOfSpace: "\(error)"
    }
}
