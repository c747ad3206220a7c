import SyncEngine
import TestKit
import Testing

@Suite("Every store finds the sequence of a stamp")
struct StampTests {
    /// A note, and a page that is created with sequence 2 and has another owner with 3 to `last`.
    private func read<Value: Sendable>(
        _ kind: StoreKind, last: Int64 = 6,
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Value
    ) async throws -> Value {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (environment, last) in [
            (try await bench.store.environment("other"), 9), (environment, last),
        ] {
            try await bench.store.write(WriteSet(records: [.test("note")]), in: environment)
            for sequence in 2...last {
                let page = StoredRecord(
                    guid: "page", model: "Page", owner: sequence.isMultiple(of: 2) ? "a" : "b",
                    group: "users", revision: sequence - 1, isDeleted: false, isConflicted: false,
                    fieldsText: "{}")
                try await bench.store.write(WriteSet(records: [page]), in: environment)
            }
        }
        return try await bench.store.search(in: environment, readingNames: false, body)
    }

    @Test(arguments: stores) func firstReassignmentIsOfAnyModel(_ kind: StoreKind) async throws {
        let found = try await read(kind) { transaction in
            try [(0, 2), (0, 3), (0, 6), (2, .max), (3, 3), (3, 4), (5, 6), (6, .max)].map {
                try transaction.firstReassignment(after: $0, through: $1)?.sequence
            }
        }
        #expect(found == [nil, 3, 3, 3, nil, 4, 6, nil])
    }

    /// The models include one whose records did not change.
    @Test(arguments: stores, ["Note", "Page", "Leaf"])
    func reassignmentsTellSequenceOfStamp(_ kind: StoreKind, model: String) async throws {
        let (known, found) = try await read(kind, last: 20) { transaction in
            let changes = try (3...20).compactMap {
                try transaction.firstReassignment(after: $0 - 1, through: $0)
            }
            return (
                changes.map(\.sequence),
                try changes.map { try transaction.sequence(atStamp: $0.stamp, ofAllIn: model) }
            )
        }
        #expect(known == Array(3...20) && found == known)
    }
}
