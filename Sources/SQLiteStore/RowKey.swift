import SyncEngine

/// The row number of a record: the environment in the upper bits, the sequence of the last change
/// in the lower 40. It has room for 2^40 changes in each of 2^23 environments.
enum RowKey {
    private static let sequenceBits: Int64 = 40

    static func of(sequence: Int64, in environment: EnvironmentID) -> Int64 {
        environment.number << sequenceBits | sequence
    }

    static func sequence(of place: Int64) -> Int64 {
        place & (1 << sequenceBits - 1)
    }

    /// Returns all row numbers of the environment after a sequence.
    static func after(_ sequence: Int64, in environment: EnvironmentID) -> Range<Int64> {
        of(sequence: sequence, in: environment) + 1..<(environment.number + 1) << sequenceBits
    }
}
