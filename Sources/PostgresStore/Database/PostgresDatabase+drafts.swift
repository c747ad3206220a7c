package import Administration
package import SyncEngine

extension PostgresDatabase {
    package func drafts() async throws(StoreError) -> [StoredDraft] {
        try await ask { transaction in
            try transaction.rows("SELECT \(draftColumns) FROM drafts ORDER BY name", [])
                .map { try StoredDraft(row: &$0) }
        }
    }

    package func draft(
        named name: String
    ) async throws(StoreError) -> (StoredDraft, source: [UInt8])? {
        try await ask { transaction in
            try transaction.rows(
                "SELECT \(draftColumns), source FROM drafts WHERE name = $1", [.text(name)]
            ).map { row in (try StoredDraft(row: &row), source: try row.bytes()) }.first
        }
    }

    package func write(_ draft: WrittenDraft, upTo max: Int) async throws(StoreError) -> Bool {
        try await write { transaction in
            let written: [Parameter] = [
                .text(draft.name), .text(draft.author),
                .integer(draft.writtenAt.milliseconds), .bytes(draft.source),
            ]
            let changed =
                draft.base == 0
                ? try transaction.rows(
                    """
                    INSERT INTO drafts (name, revision, author, changed_at, source)
                    SELECT $1::text, 1, $2::text, $3::bigint, $4::bytea
                    WHERE (SELECT count(*) FROM drafts) < $5::bigint
                    ON CONFLICT DO NOTHING
                    """, written + [.integer(Int64(max))])
                : try transaction.rows(
                    """
                    UPDATE drafts SET revision = revision + 1, author = $2, changed_at = $3,
                        source = $4 WHERE name = $1 AND revision = $5
                    """, written + [.integer(draft.base)])
            return changed.changedCount == 1
        }
    }

    package func removeDraft(named name: String) async throws(StoreError) -> Bool {
        try await write { transaction in
            try transaction.rows("DELETE FROM drafts WHERE name = $1", [.text(name)])
                .changedCount == 1
        }
    }
}

private let draftColumns = "name, revision, author, changed_at, length(source)::bigint"

extension StoredDraft {
    fileprivate init(row: inout Row) throws {
        self.init(
            name: try row.text(), revision: try row.int64(), author: try row.text(),
            changedAt: Instant(milliseconds: try row.int64()), size: try row.int())
    }
}
