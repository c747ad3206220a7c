import JSON
package import SyncEngine

/// Exports what an environment holds of a user: the account, sessions and devices, owned records
/// with their history, the user's own changes and conflicts, outcomes, files, notifications and
/// refused data. Hashes of passwords and of session tokens are left out, and push tokens.
///
/// Every row is a JSON object in a line, with the name of its table in `$table`. All rows are of
/// one snapshot. Memory holds a page of rows, the guids of the user's records, and their files
/// without contents.
package struct PersonalExport {
    private let login: Cell
    private var guids: Set<Cell> = []
    package private(set) var count = 0
    /// The files and refused data of the exported rows that have contents.
    package private(set) var files: [CompleteFile] = []

    private static let rowsAtATime = 500
    private static let secrets: Set<String> = ["password_hash", "token_hash", "token"]
    private static let unowned: Set<EnvironmentTable> = [.purgedRecords, .names, .epochs]

    /// `login` is compared by its bytes, so pass it as it is stored.
    package init(of login: String) {
        self.login = .text(login)
    }

    /// Passes each line to `write`, with its line feed. Throws `CopyError.environmentUnknown` if
    /// the snapshot has no such environment, and errors of `write`.
    package mutating func run(
        in environment: String, of snapshot: any StoreSnapshot,
        writing write: (String) async throws -> Void
    ) async throws {
        guard let (id, _) = try await snapshot.head(of: environment) else {
            throw CopyError.environmentUnknown
        }
        try await run(in: id, of: snapshot, writing: write)
    }

    private mutating func run(
        in id: EnvironmentID, of snapshot: any StoreSnapshot,
        writing write: (String) async throws -> Void
    ) async throws {
        // Records come before the tables that refer to them.
        for table in EnvironmentTable.allCases where !Self.unowned.contains(table) {
            var pages = RowPages(
                table: table, environment: id, snapshot: snapshot,
                size: PageSize(most: Self.rowsAtATime), wrapped: CopyError.source)
            while let page = try await pages.next() {
                for row in page.rows where concerns(row, of: table) {
                    try await write(line(of: row, in: table))
                    count += 1
                    if let file = CompleteFile(row, of: table) { files.append(file) }
                }
            }
        }
    }

    /// Whether an environment holds anything of a user, also a former one, or one who was erased.
    /// Reads until it finds something.
    package static func holdsAnything(
        of login: String, in environment: EnvironmentID, of store: any CopyableStore
    ) async throws -> Bool {
        struct Found: Error {}
        let snapshot = try await store.snapshot()
        var export = PersonalExport(of: login)
        do {
            try await export.run(in: environment, of: snapshot) { _ in throw Found() }
        } catch is Found {
            await snapshot.close()
            return true
        } catch {
            await snapshot.close()
            throw error
        }
        await snapshot.close()
        return false
    }

    private mutating func concerns(_ row: EnvironmentRow, of table: EnvironmentTable) -> Bool {
        let cells = zip(table.columns, row)
        switch table {
        case .records:
            guard cells.contains(where: { $0.name == "owner" && $1 == login }) else {
                return false
            }
            if let guid = row.first { guids.insert(guid) }
            return true
        case .users, .sessions, .devices, .outcomes, .files, .deviceProgress, .deviceFiles,
            .pushTokens, .refusals, .erasures, .readPolicyChanges:
            return cells.contains { $0.name == "login" && $1 == login }
        case .history, .conflicts:
            return row.first.map(guids.contains) == true
                || cells.contains { $0.name == "login" && $1 == login }
        case .ownershipChanges, .links: return row.first.map(guids.contains) == true
        case .uniqueValues: return row.last.map(guids.contains) == true
        case .notifications:
            return cells.contains { column, cell in
                column.name == "sender" && cell == login
                    || column.name == "logins" && cell.contains(login)
            }
        case .purgedRecords: return cells.contains { $0.name == "owner" && $1 == login }
        case .names, .epochs: return false
        }
    }

    private func line(of row: EnvironmentRow, in table: EnvironmentTable) -> String {
        var members: [String: JSONValue] = ["$table": .string(table.rawValue)]
        for (column, cell) in zip(table.columns, row) where !Self.secrets.contains(column.name) {
            members[column.name] = column.json(of: cell)
        }
        return JSONValue.object(members).text + "\n"
    }
}

extension Cell {
    fileprivate func contains(_ text: Cell) -> Bool {
        guard case .list(let texts) = self, case .bytes(let bytes) = text else { return false }
        return texts.contains(bytes)
    }
}

extension EnvironmentColumn {
    fileprivate func json(of cell: Cell) -> JSONValue {
        switch cell {
        case .null: .null
        case .integer(let number): kind == .flag ? .boolean(number != 0) : .integer(number)
        case .bytes(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .list(let texts):
            .array(texts.map { .string(String(decoding: $0, as: UTF8.self)) })
        }
    }
}
