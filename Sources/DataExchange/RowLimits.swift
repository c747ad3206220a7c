/// The limits of the rows of an import. A row beyond one is reported and left out.
package struct RowLimits: Hashable, Sendable {
    /// Bytes of one field of a CSV file.
    package var fieldBytes = 1 << 20
    /// Bytes of one row: a record of a CSV file, or a line of JSON.
    package var rowBytes = 4 << 20
    /// Columns of a CSV file.
    package var columns = 1000
    /// Bytes of the rows of one transaction, which ends with the one that reaches them.
    package var batchBytes = 1 << 20
    /// Bytes of the rows that wait for records of later ones.
    package var laterBytes = 16 << 20

    package init() {}
}
