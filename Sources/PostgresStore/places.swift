/// Selects the place of the row that has each key, with the columns of the key and `columns`.
///
/// The caller deletes or updates the rows at their places. Without statistics of a table, the
/// server takes an environment for a small part of it, and would rather read all rows of the
/// environment than search those of some keys by an index. So each key is searched by itself; see
/// `BatchQuery`. The limit, which the planner does not know, makes it expect a tenth of the rows:
/// few enough to go to their places instead of reading the table.
///
/// - Parameters:
///   - columns: Further columns of the table; empty for none.
///   - keys: Rows whose columns have other names than those of the table.
///   - condition: Holds for the rows of a key, beside the environment's number. An order may
///     follow.
///   - skipped: The number of rows of a key to skip.
func places(
    in table: String, columns: String = "", of keys: String, where condition: String,
    skipping skipped: String = "0"
) -> String {
    """
    SELECT * FROM \(keys)
    CROSS JOIN LATERAL (SELECT ctid AS place\(columns.isEmpty ? "" : ", \(columns)") FROM \(table)
        WHERE environment = $1 AND \(condition) OFFSET \(skipped)) AS stored
    LIMIT (SELECT 2147483647)
    """
}
