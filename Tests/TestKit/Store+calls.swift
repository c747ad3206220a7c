package import SyncEngine

/// The calls of a store with what a test does not care about left out.
extension Store {
    /// An environment with a version, made where there is none.
    package func environment(
        _ name: String = "test"
    ) async throws -> EnvironmentID {
        try await deploy(to: name) { present in
            present.map { .failure(.isCurrent($0)) }
                ?? .success(.test(instance: "instance of \(name)"))
        }.state.id
    }

    /// Writes what was decided, whatever was read of the records with these guids.
    package func write(
        _ writes: Writes, in environment: EnvironmentID, device: DeviceKey = .test,
        reading guids: [String] = []
    ) async throws(StoreError) {
        let need = Need(
            environment: environment, device: device, changeIDs: [], guids: guids,
            baseRevisions: [:])
        try await commit(need) { _ in
            []
        } deciding: { _ throws(StoreError) in
            (writes, ())
        }
    }

    package func facts(
        in environment: EnvironmentID, device: DeviceKey = .test, changeIDs: [String] = [],
        guids: [String] = [], bases: [String: Int64] = [:],
        holdersOf values: Set<UniqueValue> = []
    ) async throws(StoreError) -> Facts {
        let need = Need(
            environment: environment, device: device, changeIDs: changeIDs, guids: guids,
            baseRevisions: bases)
        return try await commit(need) { _ in
            values
        } deciding: { facts throws(StoreError) in
            (Writes(), facts)
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
    /// The environment's, also where the version was current before.
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
