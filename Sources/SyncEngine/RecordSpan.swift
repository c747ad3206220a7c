/// The environment's records whose last change is after one sequence and not after another.
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

/// How many records there are of a span, at a moment.
package struct SpanCount: Hashable, Sendable {
    package let records: Int
    package let moment: EnvironmentMoment

    package init(records: Int, moment: EnvironmentMoment) {
        self.records = records
        self.moment = moment
    }
}

/// What tells of an environment whether anything has changed in its data: where two moments are
/// alike, every record was the same at both, and at each moment between.
package struct EnvironmentMoment: Hashable, Sendable {
    /// A number of the current version, which no other deployment has or had.
    package let deployment: Int64
    /// The number of the last committed change.
    package let sequence: Int64
    /// Tombstones of up to this sequence may have been swept away.
    package let horizon: Int64

    package init(deployment: Int64, sequence: Int64, horizon: Int64) {
        self.deployment = deployment
        self.sequence = sequence
        self.horizon = horizon
    }
}

extension EnvironmentMoment {
    /// Before anything was deployed.
    package static let none = EnvironmentMoment(deployment: 0, sequence: 0, horizon: 0)
}
