import DefinitionModel

// The values that deployments bring.

extension World {
    /// With the field that a deployment requires, if it was deployed.
    var presentDefinition: Definition {
        guard server.requiresField, let required = scenario.requiredField else {
            return scenario.definition
        }
        return required.definition
    }

    mutating func requireField() async throws(InvariantViolation) {
        try await administering { server throws in try await server.requireField() }
        if server.versions.count > auditor.versions.count { auditor.note(server.rules) }
    }

    func auditFills() throws(InvariantViolation) {
        guard server.requiresField, let required = scenario.requiredField else { return }
        try auditor.audit(required)
    }

    /// Returns whether values may be left to fill in.
    mutating func fill() async throws(InvariantViolation) -> Bool {
        guard let required = scenario.requiredField else { return false }
        try await auditor.readChanges()
        let before = auditor.records
        var isOpen = false
        try await administering { server throws in isOpen = try await server.fill() }
        try await auditor.readChanges()
        try auditor.audit(required, filledSince: before)
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
