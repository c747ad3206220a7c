import DefinitionModel

// The values that deployments bring.

extension World {
    mutating func requireField() async throws(InvariantViolation) {
        try await administering { server throws in try await server.requireField() }
        noteDeployment()
    }

    func auditFills() throws(InvariantViolation) {
        try auditor.audit(filled: server.filledFields)
    }

    /// Returns whether values may be left to fill in.
    mutating func fill() async throws(InvariantViolation) -> Bool {
        guard scenario.requiredField != nil || scenario.evolves else { return false }
        try await auditor.readChanges()
        let before = auditor.records
        var isOpen = false
        try await administering { server throws in isOpen = try await server.fill() }
        try await auditor.readChanges()
        try auditor.audit(filled: server.filledFields, since: before)
        return isOpen
    }

    mutating func fillEverything() async throws(InvariantViolation) {
        var steps = 0
        while try await fill() {
            steps += 1
            guard steps < Self.maxFillSteps else {
                throw InvariantViolation(
                    .deploymentsFillWhatIsMissing, "filling in values does not end")
            }
        }
    }

    private static let maxFillSteps = 10_000
}
