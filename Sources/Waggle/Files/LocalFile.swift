import GRDB

/// A file whose contents are on this device.
struct LocalFile: Hashable, Sendable {
    enum State: String, Hashable, Sendable, CaseIterable {
        /// Attached on this device and not uploaded yet.
        case waiting
        /// On the device and on the server.
        case shared
        /// Attached on this device and refused by the server.
        case refused
    }

    let guid: String
    let bytes: Int64
    /// SHA-256, in Base64.
    let digest: String
    var state: State
}

extension LocalFile: FetchableRecord {
    init(row: Row) throws {
        guid = try row.decode(String.self, forColumn: "guid")
        bytes = try row.decode(Int64.self, forColumn: "bytes")
        digest = try row.decode(String.self, forColumn: "digest")
        let text = try row.decode(String.self, forColumn: "state")
        guard let state = State(rawValue: text) else {
            throw DatabaseError.failed("unknown file state '\(text)'")
        }
        self.state = state
    }
}

extension DeviceStore {
    func file(_ guid: String, _ db: GRDB.Database) throws -> LocalFile? {
        try LocalFile.fetchOne(db, sql: "SELECT * FROM files WHERE guid = ?", arguments: [guid])
    }

    func files(_ state: LocalFile.State, _ db: GRDB.Database) throws -> [LocalFile] {
        try LocalFile.fetchAll(
            db, sql: "SELECT * FROM files WHERE state = ? ORDER BY guid",
            arguments: [state.rawValue])
    }

    func store(_ file: LocalFile, _ db: GRDB.Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO files (guid, bytes, digest, state) VALUES (?, ?, ?, ?)",
            arguments: [file.guid, file.bytes, file.digest, file.state.rawValue])
    }
}
