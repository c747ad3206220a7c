import SyncEngine

extension CurrentState {
    init(_ rows: Rows) throws {
        guard var row = rows.first else { throw StoreError.environmentGone }
        try self.init(row: &row)
    }

    init(row: inout Row) throws { try self.init(fingerprint: row.text(), rest: &row) }

    /// Returns nil without a fingerprint.
    init?(optional row: inout Row) throws {
        guard let fingerprint = try row.optionalText() else { return nil }
        try self.init(fingerprint: fingerprint, rest: &row)
    }

    private init(fingerprint: String, rest row: inout Row) throws {
        self.init(
            fingerprint: fingerprint,
            moment: EnvironmentMoment(
                deployment: try row.number(as: .sequence), sequence: try row.number(as: .sequence),
                purgeHorizon: try row.number(as: .sequence)),
            lastStamp: try row.instant())
    }
}

func currentState(of environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT fingerprint, environments.version, sequence, horizon, last_stamp
        FROM environments JOIN versions ON versions.id = environments.version
        WHERE environments.id = $1
        """, [.integer(environment.number)])
}
