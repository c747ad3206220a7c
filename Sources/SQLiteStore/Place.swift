import SyncEngine

/// A record's row number: its environment above, the sequence of its last change in the lower 40
/// bits. Room for a million million changes in each of eight million environments.
enum Place {
    private static let sequenceBits: Int64 = 40

    static func of(sequence: Int64, in environment: EnvironmentID) -> Int64 {
        environment.number << sequenceBits | sequence
    }

    static func sequence(of place: Int64) -> Int64 {
        place & (1 << sequenceBits - 1)
    }

    /// Every place that the environment's records can have after a sequence.
    static func after(_ sequence: Int64, in environment: EnvironmentID) -> Range<Int64> {
        of(sequence: sequence, in: environment) + 1..<(environment.number + 1) << sequenceBits
    }
}
