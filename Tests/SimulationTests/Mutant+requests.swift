import ChangeRules
import Simulation
import SyncEngine

// Mutations of requests of several parts, and of imports of deleted rows.

extension Mutant {
    /// A mutant that pushes other changes.
    private init(
        _ description: String, requesting breaks: Set<Invariant>,
        pushing: @escaping @Sendable ([Change]) -> [Change]
    ) {
        self.init(description, breaks: breaks) {
            (mutation: inout Mutation) in
            mutation.pushed = pushing
        }
        hasRequests = true
    }

    /// A mutant whose store writes something else.
    private init(
        _ description: String, requesting breaks: Set<Invariant>,
        writing: @escaping @Sendable (inout WriteSet, Facts) -> Void
    ) {
        self.init(
            description, breaks: breaks,
            lying: { store in
                store.writes = { writes, facts in
                    writes.changing(to: facts) { writing(&$0, facts) }
                }
            })
        hasRequests = true
    }

    static let requests = questions + parts + deletedRows

    private static let questions = [
        Mutant(
            "a question is an update without values", requesting: [.questionsOnlyAsk],
            pushing: { $0.map { $0.with(onlyAsks: false, partOf: $0.partOf) } }),
        Mutant(
            "a question gives its record a revision", requesting: [.questionsOnlyAsk],
            writing: { writes, facts in writes.touchAskedRecords(of: facts) }),
    ]

    private static let parts = [
        Mutant(
            "a part does not know its request", requesting: [.partsAreDoneOnceInOrder],
            pushing: { $0.map { $0.with(partOf: nil) } }),
        Mutant(
            "the answer to a question is forgotten", requesting: [.partsAreDoneOnceInOrder],
            writing: { writes, _ in
                writes.outcomes.removeAll { $0.isTraceless && $0.isOfRequest }
            }),
        Mutant(
            "the last part is done first", requesting: [.partsAreDoneOnceInOrder],
            pushing: \.exchangingUpdates),
    ]

    private static let deletedRows = [
        Mutant(
            "a deleted row must obey the limits", requesting: [.deletedRowsAreDeletions],
            pushing: { $0.map { $0.with(partOf: $0.partOf, isOfDeleted: false) } }),
        Mutant(
            "a deleted row comes back with its import", requesting: [.deletedRowsAreDeletions],
            writing: { writes, _ in
                guard writes.outcomes.contains(where: \.isOfDeletedRow) else { return }
                for index in writes.records.indices { writes.records[index].isDeleted = false }
            }),
    ]
}
