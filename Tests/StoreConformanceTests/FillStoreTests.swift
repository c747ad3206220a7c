import Administration
import ChangeRules
import JSON
import SyncEngine
import TestKit
import Testing

@Suite("A store keeps the values that deployments bring")
struct FillStoreTests {
    private let rules = [FillRule(model: "m", field: "f", source: .constant("x"))]

    private func deploy(
        _ name: String, filling fill: DeploymentFill?, on store: any Store
    ) async throws -> EnvironmentState {
        try await store.deploy(to: "test") { _ in
            .success(
                NewVersion(
                    digest: "digest", fingerprint: name, source: Array(name.utf8),
                    deployedAt: Instant(milliseconds: 9), instance: "i",
                    adaptation: Adaptation(to: .test(), after: [], until: 0), fill: fill))
        }.get().state
    }

    @Test(arguments: stores)
    func fillIsKeptWithItsDeployment(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let before = try await bench.store.fills().count
        let first = try await deploy("one", filling: nil, on: bench.store)
        let second = try await deploy("two", filling: DeploymentFill(rules), on: bench.store)
        let stored = try await bench.store.fills().dropFirst(before)
        #expect(
            Array(stored) == [
                StoredFill(
                    environment: second.id, name: "test", deployment: second.deployment,
                    fill: DeploymentFill(rules))
            ])
        var further = DeploymentFill(rules)
        further.position = 12
        further.filled = 7
        further.isDone = true
        try await bench.store.update(further, ofDeployment: second.deployment)
        #expect(try await bench.store.fills().last?.fill == further)
        let versions = try await bench.store.versions(of: first.id).suffix(2)
        #expect(versions.map(\.fill) == [nil, further])
        #expect(versions.map(\.number) == [first.deployment, second.deployment])
        let logged = try await bench.store.deployments(of: first.id, before: nil, limit: 2)
        #expect(logged.map(\.fill) == [further, nil])
    }
}
