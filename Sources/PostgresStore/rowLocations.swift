/// Selects the location (`ctid`) of the row that has each key, with the columns of the key and
/// `columns`.
///
/// The caller deletes or updates the rows at their locations in the same statement. Without
/// statistics of a table, the planner takes an environment for a small part of it, and would rather
/// read all rows of the environment than search those of some keys by an index. So each key is
/// searched by itself; see `BatchQuery`. The planner does not know the limit and expects a tenth of
/// the rows: few enough to fetch them by location instead of reading the table.
///
/// - Parameters:
///   - columns: Further columns of the table; empty for none.
///   - keys: Rows whose columns have other names than those of the table.
///   - condition: Holds for the rows of a key, beside the environment's number. An order may
///     follow.
///   - skipped: The number of rows of a key to skip.
func rowLocations(
    in table: String, columns: String = "", of keys: String, where condition: String,
    skipping skipped: String = "0"
) -> String {
    let columns = columns.isEmpty ? "" : ", \(columns)"
    return """
        SELECT * FROM \(keys)
        CROSS JOIN LATERAL (SELECT ctid AS location\(columns) FROM \(table)
            WHERE environment = $1 AND \(condition) OFFSET \(skipped)) AS stored
        LIMIT (SELECT 2147483647)
        """
}
