import DefinitionModel
import PostgresKit
import PostgresStore
import SyncEngine
import TestKit
import Testing
import UserAccounts

@testable import Simulation

@Suite("Several server processes take turns on one database", .timeLimit(.minutes(10)))
struct ManyProcessesTests {
    /// Several processes give the same records as a single one in memory.
    @Test(arguments: [2, 4], UInt64(0)..<16)
    func everyGuaranteeHolds(count: Int, seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let definition = try yard(mode, analyzed: seed % 8 < 4)
        let database = try PostgresCluster.shared().makeDatabase()
        var limits = PostgresLimits()
        // Many tests run at a time.
        limits.patienceSeconds = 120
        limits.connections = 2
        limits.commits.presumptionPause = .zero
        var stores: [PostgresDatabase] = []
        for _ in 0..<count {
            stores.append(
                try await PostgresDatabase(
                    address: PostgresAddress(database.address), creating: true, limits: limits))
        }
        let processes: [any Store & AccountStore] = stores
        let scenario = Scenario(definition, clients: 5, steps: 80, stores: { processes })
        let history = await simulate(try #require(scenario), seed: seed)
        for store in stores { store.close() }
        #expect(history.violation == nil, "\(history.violation?.finding ?? "")")
        let alone = try #require(Scenario(definition, clients: 5, steps: 80))
        let single = await simulate(alone, seed: seed)
        #expect(history.stored == single.stored && !history.stored.isEmpty)
        #expect(history.counts == single.counts)
        // Keeps the database alive until here.
        withExtendedLifetime(database) {}
    }
}
