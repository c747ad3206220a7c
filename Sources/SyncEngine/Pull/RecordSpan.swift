/// The records of an environment whose last change is after one sequence and at or before another.
package struct RecordSpan: Hashable, Sendable {
    package let environment: EnvironmentID
    package let after: Int64
    package let through: Int64

    package init(environment: EnvironmentID, after: Int64, through: Int64) {
        self.environment = environment
        self.after = after
        self.through = through
    }
}

/// The number of records in a span, at one moment of the environment.
package struct SpanCount: Hashable, Sendable {
    package let records: Int
    package let moment: EnvironmentMoment

    package init(records: Int, moment: EnvironmentMoment) {
        self.records = records
        self.moment = moment
    }
}

/// A version of an environment's data. If it is the same at two times, every record was the same at
/// both and at all times between.
package struct EnvironmentMoment: Hashable, Sendable {
    /// Number of the current deployment; never reused.
    package let deployment: Int64
    /// Sequence of the last committed change.
    package let sequence: Int64
    /// Tombstones up to this sequence may have been purged.
    package let purgeHorizon: Int64

    package init(deployment: Int64, sequence: Int64, purgeHorizon: Int64) {
        self.deployment = deployment
        self.sequence = sequence
        self.purgeHorizon = purgeHorizon
    }

    /// Whether Waggle writes such numbers. Others come from damage.
    package var isPossible: Bool {
        let values = StoredNumber.sequence.values
        return values.contains(deployment) && values.contains(sequence)
            && values.contains(purgeHorizon)
    }
}

extension EnvironmentMoment {
    /// The moment before the first deployment.
    package static let none = EnvironmentMoment(deployment: 0, sequence: 0, purgeHorizon: 0)
}
