import Monitoring
import SyncEngine

extension ServerMetrics {
    /// Measures on demand what the parts of a server hold at that moment. Called once.
    func collect(from host: WireHost, _ budget: MemoryBudget, _ environments: Environments) {
        registry.add {
            [
                MetricSample(ServerMetric.waitingSignIns, host.passwords.waitingCount),
                MetricSample(ServerMetric.heldBytes, budget.usedBytes),
                MetricSample(ServerMetric.maxHeldBytes, budget.maxBytes),
                MetricSample(ServerMetric.uploads, host.uploads.count),
                MetricSample(ServerMetric.liveStreams, host.streams.count),
            ]
        }
        registry.add { await databaseSamples(of: environments) }
    }
}

/// A database that cannot be read tells no conflicts.
private func databaseSamples(of environments: Environments) async -> [MetricSample] {
    var samples: [MetricSample] = []
    do throws(SyncError) {
        try await environments.checkHealth()
        samples.append(MetricSample(ServerMetric.databaseIsUp, 1))
    } catch {
        return [MetricSample(ServerMetric.databaseIsUp, 0)]
    }
    let loaded = environments.loadedEnvironments.sorted { $0.name < $1.name }
    if let engine = loaded.first?.engine {
        // All of them share the store.
        samples.append(
            MetricSample(ServerMetric.waitingPushes, engine.store.commits.waitingCalls))
    }
    for environment in loaded {
        let engine = environment.engine
        // An environment that was removed has none.
        guard let count = try? await engine.store.openConflictCount(in: engine.environment)
        else { continue }
        samples.append(MetricSample(ServerMetric.conflicts, labels: [environment.name], count))
    }
    return samples
}
