/// A transaction that makes a version current in one environment, used by one caller at a time.
///
/// Nobody else changes what it reads until it ends. An error that a method throws ends the
/// transaction without an effect.
package protocol DeploymentTransaction {
    /// Whether a record was ever written, a user is signed in, or a device has synchronized.
    func isUsed() throws -> Bool

    func setInstance(_ instance: String) throws

    /// Removes every unique value, with its holder.
    func discardUniqueValues() throws

    /// Takes each value that is free, in their order. Returns for each whether it was.
    func takeIfFree(_ holdings: [UniqueHolding]) throws -> [Bool]

    /// Returns the first records after a sequence, in the order of their last change.
    func records(after sequence: Int64, atMost count: Int) throws -> [SequencedRecord]

    /// Replaces the model and the fields of records. Their sequences stay, since no user changed
    /// them.
    func rewrite(_ records: [SequencedRecord]) throws

    /// Renames the models of all that is left of purged records, all at once: a new name may be the
    /// former one of another model. `models` has the new names by the former ones.
    func renamePurged(_ models: [String: String]) throws

    /// Returns the fields of the first entries of a record's history after a number. Numbers are
    /// positive, and ascend in the order in which the entries were written.
    func history(
        of guid: String, after number: Int64, atMost count: Int
    ) throws -> [NumberedText]

    /// Replaces the fields of entries of a record's history.
    func rewriteHistory(of guid: String, _ fields: [NumberedText]) throws

    /// Returns the first conflicts of a record after a revision, open and closed. The number of a
    /// conflict is its revision.
    func conflicts(
        of guid: String, after revision: Int64, atMost count: Int
    ) throws -> [NumberedText]

    /// Replaces the text of a record's conflicts.
    func rewriteConflicts(of guid: String, _ texts: [NumberedText]) throws
}

/// A record and the sequence of its last change.
package struct SequencedRecord: Hashable, Sendable {
    package let sequence: Int64
    package let record: StoredRecord

    package init(sequence: Int64, record: StoredRecord) {
        self.sequence = sequence
        self.record = record
    }
}

/// A stored JSON text of a record's past, and the number that identifies it.
package struct NumberedText: Hashable, Sendable {
    package let number: Int64
    package let text: String

    package init(number: Int64, text: String) {
        self.number = number
        self.text = text
    }
}
