import EnvironmentCopy
import SyncEngine
import Synchronization
import Testing

/// The stores that environments are copied between.
let databases = Array(stores.dropFirst())

/// Small enough for several ranges.
let rowsAtATime = 7

func copy(
    _ request: CopyRequest, from source: StoreBench, to target: StoreBench,
    as rows: (any CopyableStore)? = nil
) async throws(CopyError) -> CopyReport {
    guard let origin = source.database, let place = target.database else {
        throw .source(.failed("what is in memory is not copied"))
    }
    return try await origin.rows.withSnapshot(failingAs: CopyError.source) {
        snapshot throws(CopyError) in
        try await CopyRun(
            from: snapshot, contents: origin.contents, to: rows ?? place.rows,
            contents: place.contents, rowsAtATime: rowsAtATime, reporting: { _ in }
        ).run(request)
    }
}

func copy(
    _ name: String, from source: StoreBench, to target: StoreBench,
    as rows: (any CopyableStore)? = nil
) async throws(CopyError) -> CopyReport {
    try await copy(
        CopyRequest(environment: name, name: name), from: source, to: target, as: rows)
}

/// Fails after a number of writes.
final class FailingTarget: CopyableStore {
    private let store: any CopyableStore
    private let left: Atomic<Int>
    private let written = Atomic(0)

    init(_ store: any CopyableStore, after count: Int) {
        self.store = store
        left = Atomic(count)
    }

    var writtenRows: Int { written.load(ordering: .relaxed) }

    private func count(_ rows: Int) throws(StoreError) {
        guard left.subtract(1, ordering: .relaxed).oldValue > 0 else { throw .failed("cut") }
        written.add(rows, ordering: .relaxed)
    }

    func snapshot() async throws(StoreError) -> any StoreSnapshot { try await store.snapshot() }

    func stage(
        _ head: EnvironmentHead, as name: String
    ) async throws(StoreError) -> EnvironmentID {
        try count(0)
        return try await store.stage(head, as: name)
    }

    func put(
        _ rows: [EnvironmentRow], in range: KeyRange, of table: EnvironmentTable,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try count(rows.count)
        return try await store.put(rows, in: range, of: table, in: environment)
    }

    func add(
        _ rows: [EnvironmentRow], to table: EnvironmentTable, in environment: EnvironmentID
    ) async throws(StoreError) {
        // Such a table is copied from its start.
        try count(0)
        try await store.add(rows, to: table, in: environment)
    }

    func rename(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try count(0)
        return try await store.rename(environment, to: name)
    }

    func beginEpoch(_ epoch: Int64, in environment: EnvironmentID) async throws(StoreError) {
        try await store.beginEpoch(epoch, in: environment)
    }
}

/// Alters the last column of a table's last row.
struct TwistingTarget: CopyableStore {
    private let store: any CopyableStore
    private let twisted: EnvironmentTable

    init(_ store: any CopyableStore, _ table: EnvironmentTable) {
        self.store = store
        twisted = table
    }

    private func twisting(
        _ rows: [EnvironmentRow], of table: EnvironmentTable
    ) -> [EnvironmentRow] {
        guard table == twisted, var row = rows.last, let cell = row.popLast() else { return rows }
        let another: Cell =
            switch cell {
            case .integer(let number): .integer(1 - number)
            case .null, .bytes, .list: .text("another")
            }
        return rows.dropLast() + [row + [another]]
    }

    func snapshot() async throws(StoreError) -> any StoreSnapshot { try await store.snapshot() }

    func stage(
        _ head: EnvironmentHead, as name: String
    ) async throws(StoreError) -> EnvironmentID {
        try await store.stage(head, as: name)
    }

    func put(
        _ rows: [EnvironmentRow], in range: KeyRange, of table: EnvironmentTable,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await store.put(twisting(rows, of: table), in: range, of: table, in: environment)
    }

    func add(
        _ rows: [EnvironmentRow], to table: EnvironmentTable, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await store.add(twisting(rows, of: table), to: table, in: environment)
    }

    func rename(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try await store.rename(environment, to: name)
    }

    func beginEpoch(_ epoch: Int64, in environment: EnvironmentID) async throws(StoreError) {
        try await store.beginEpoch(epoch, in: environment)
    }
}
