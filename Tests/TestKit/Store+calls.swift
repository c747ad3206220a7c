package import SyncEngine

/// Calls of a store with defaults for parameters that a test does not use.
extension Store {
    /// Returns the environment with a version; creates it if needed.
    package func environment(
        _ name: String = "test"
    ) async throws -> EnvironmentID {
        try await deploy(to: name) { present in
            present.map { .failure(.isCurrent($0)) }
                ?? .success(.test(instance: "instance of \(name)"))
        }.state.id
    }

    /// Writes a decision, whatever was read for these guids.
    package func write(
        _ writes: WriteSet, in environment: EnvironmentID, device: DeviceKey = .test,
        reading guids: [String] = []
    ) async throws(StoreError) {
        let need = ReadSet(
            environment: environment, device: device, changeIDs: [], guids: guids,
            baseRevisions: [:])
        try await commit(need) { _ in
            []
        } deciding: { _ throws(StoreError) in
            (writes, ())
        }
    }

    /// Increments a record's revision, and returns the new one. `meanwhile` runs in its
    /// transaction.
    package func increment(
        _ guid: String, in environment: EnvironmentID,
        meanwhile: @escaping @Sendable () -> Void = {}
    ) async throws -> Int64 {
        let need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        return try await commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            meanwhile()
            let revision = (facts.records[guid]?.revision ?? 0) + 1
            var writes = WriteSet(records: [.test(guid, revision: revision)])
            writes.history = [.test(guid, revision: revision, kind: .updated)]
            return (writes, revision)
        }
    }

    package func facts(
        in environment: EnvironmentID, device: DeviceKey = .test, changeIDs: [String] = [],
        guids: [String] = [], bases: [String: Int64] = [:],
        holdersOf values: Set<UniqueValue> = []
    ) async throws(StoreError) -> Facts {
        let need = ReadSet(
            environment: environment, device: device, changeIDs: changeIDs, guids: guids,
            baseRevisions: bases)
        return try await commit(need) { _ in
            values
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts)
        }
    }

    package func page(
        in environment: EnvironmentID, after sequence: Int64 = 0, limit: Int = 100,
        maxScanned: Int = 1000, maxBytes: Int = 1 << 20, skipsDeleted: Bool = false,
        knownSequence: Int64 = 0
    ) async throws(StoreError) -> Page {
        try await page(
            PageRequest(
                environment: environment, afterSequence: sequence, limit: limit,
                maxScanned: maxScanned, maxBytes: maxBytes, skipsDeleted: skipsDeleted,
                knownSequence: knownSequence))
    }
}

extension Result<Deployed, DeploymentRefusal> {
    /// The environment's state, even if the version was current before.
    fileprivate var state: EnvironmentState {
        get throws {
            switch self {
            case .success(let deployed): deployed.state
            case .failure(.isCurrent(let state)): state
            case .failure(let refusal): throw refusal
            }
        }
    }
}
