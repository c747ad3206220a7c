package import Administration
import Foundation
import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func drafts() async throws(StoreError) -> [StoredDraft] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT \(draftColumns) FROM drafts ORDER BY name")
                .map(StoredDraft.init(row:))
        }
    }

    package func draft(
        named name: String
    ) async throws(StoreError) -> (StoredDraft, source: [UInt8])? {
        try await read { db in
            try Row.fetchOne(
                db, sql: "SELECT \(draftColumns), source FROM drafts WHERE name = ?",
                arguments: [name]
            ).map { row in
                (
                    try StoredDraft(row: row),
                    source: Array(try row.decode(Data.self, forColumn: "source"))
                )
            }
        }
    }

    package func write(_ draft: WrittenDraft, upTo max: Int) async throws(StoreError) -> Bool {
        try await write { db in
            let source = Data(draft.source)
            if draft.base == 0 {
                try db.execute(
                    sql: """
                        INSERT INTO drafts (name, revision, author, changed_at, source)
                        SELECT ?, 1, ?, ?, ? WHERE (SELECT count(*) FROM drafts) < ?
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        draft.name, draft.author, draft.writtenAt.milliseconds, source, max,
                    ])
            } else {
                try db.execute(
                    sql: """
                        UPDATE drafts SET revision = revision + 1, author = ?, changed_at = ?,
                            source = ? WHERE name = ? AND revision = ?
                        """,
                    arguments: [
                        draft.author, draft.writtenAt.milliseconds, source, draft.name, draft.base,
                    ])
            }
            return db.changesCount == 1
        }
    }

    package func removeDraft(named name: String) async throws(StoreError) -> Bool {
        try await write { db in
            try db.execute(sql: "DELETE FROM drafts WHERE name = ?", arguments: [name])
            return db.changesCount == 1
        }
    }
}

private let draftColumns = "name, revision, author, changed_at, length(source) AS size"

extension StoredDraft {
    fileprivate init(row: Row) throws {
        self.init(
            name: try row.decode(String.self, forColumn: "name"),
            revision: try row.decode(Int64.self, forColumn: "revision"),
            author: try row.decode(String.self, forColumn: "author"),
            changedAt: Instant(
                milliseconds: try row.decode(Int64.self, forColumn: "changed_at")),
            size: try row.decode(Int.self, forColumn: "size"))
    }
}
