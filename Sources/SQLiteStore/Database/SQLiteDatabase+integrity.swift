import GRDB
package import SyncEngine

extension SQLiteDatabase {
    /// Reads the whole file, and checks its pages, its indexes and its references. Throws
    /// `unreadable` with what is wrong.
    package func checkIntegrity() async throws(StoreError) {
        let faults = try await read { db in
            let pages = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
            let references = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
            return pages.filter { $0 != "ok" }
                + (references.isEmpty ? [] : ["\(references.count) references lead nowhere"])
        }
        guard faults.isEmpty else {
            throw .unreadable(faults.joined(separator: "; "), remedy: .backup)
        }
    }
}
