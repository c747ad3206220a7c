/// A record of a database from before stamps, and what its migration makes of it.
package struct RecordBeforeStamps: Sendable {
    package let guid: String
    package let sequence: Int64
    /// Sequence of the creation; 0 if it was not recorded.
    package let created: Int64
    /// The time of the last change.
    package let changedAt: Int64
    /// The time of the creation; nil if the history does not have it.
    package let createdAt: Int64?

    /// "a" and "b" were changed in the same millisecond, and the clock went back before "c".
    package static let all = [
        RecordBeforeStamps(guid: "a", sequence: 1, created: 1, changedAt: 100, createdAt: 100),
        RecordBeforeStamps(guid: "b", sequence: 3, created: 2, changedAt: 100, createdAt: 90),
        RecordBeforeStamps(guid: "c", sequence: 4, created: 0, changedAt: 50, createdAt: nil),
        RecordBeforeStamps(guid: "d", sequence: 6, created: 5, changedAt: 200, createdAt: 95),
    ]

    /// Each record with its stamps of creation and change.
    package static let stamps = ["a 89 100", "b 90 101", "c 88 102", "d 95 200"]

    /// Reads the stamps, on SQLite and PostgreSQL.
    package static let selection =
        "SELECT guid || ' ' || created_at || ' ' || changed_at FROM records ORDER BY guid"
}
