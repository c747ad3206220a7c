import DefinitionModel
import Simulation
import SyncEngine

// Mutations of the values that deployments bring.

extension Mutant {
    /// A mutant of what the server fills in.
    private init(
        _ description: String, filling breaks: Set<Invariant>, in mode: ConflictMode = .manual,
        lying: @escaping @Sendable (inout LyingStore) -> Void
    ) {
        self.init(description, in: mode, breaks: breaks, lying: lying)
        requiresField = true
    }

    static let fills = [
        Mutant(
            "a value that somebody has set meanwhile is replaced",
            filling: [
                .nothingAcknowledgedIsLost, .deploymentsFillWhatIsMissing,
                .nobodyOverwritesTheUnseen,
            ]
        ) { store in
            store.filledPage = { $0.without("keys") }
            store.facts = { facts, need in
                guard need.isOfDeployment else { return facts }
                return facts.with(records: facts.records.mapValues { $0.without("keys") })
            }
        },
        Mutant("filling in counts as an edit", filling: [.conflictsAreReal]) { store in
            store.facts = { facts, _ in facts.with(history: facts.historyWithEditsOfDeployments) }
        },
        Mutant(
            "filled records are not written",
            filling: [.deploymentsFillWhatIsMissing, .nothingAcknowledgedIsLost]
        ) { store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { writes in
                    let filled = Set(writes.history.filter { $0.kind == .filled }.map(\.guid))
                    writes.records.removeAll { filled.contains($0.guid) }
                    writes.history.removeAll { filled.contains($0.guid) }
                }
            }
        },
    ]
}
