import CLibPQ
package import SyncEngine

/// The address of a PostgreSQL database, as a URL of libpq (`postgres://user@host:5432/name`).
package struct PostgresAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address for libpq, with the password if it contains one.
    let text: String
    /// The address for display, without the password.
    package let description: String

    /// Whether a text starts like an address, valid or not.
    package static func isMeant(by text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Throws `unreadable` if libpq cannot parse the address.
    package init(_ text: String) throws(StoreError) {
        self.text = text
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &problem) else {
            let reason = problem.map { String(cString: $0) } ?? "there is no memory for it"
            PQfreemem(problem)
            let line = reason.split(whereSeparator: \.isNewline).joined(separator: "; ")
            throw .unreadable(
                "its address is none of PostgreSQL: \(line)", remedy: .otherDatabase)
        }
        defer { PQconninfoFree(options) }
        description = shown(given(options))
    }
}

/// Returns the options of an address by keyword.
private func given(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var given: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
        if let value = option.pointee.val {
            given[String(cString: keyword)] = String(cString: value)
        }
        option += 1
    }
    return given
}

private func shown(_ given: [String: String]) -> String {
    let user = given["user"].map { "\($0)@" } ?? ""
    let host = given["host"] ?? ""
    let port = given["port"].map { ":\($0)" } ?? ""
    let name = given["dbname"] ?? ""
    return host.hasPrefix("/")
        ? "postgres://\(user)/\(name)?host=\(host)" : "postgres://\(user)\(host)\(port)/\(name)"
}
