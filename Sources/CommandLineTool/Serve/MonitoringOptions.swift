import ArgumentParser
import Foundation
import Logging
import Monitoring
import SyncServer

/// Options for those who watch a server; see `ServeSettings`.
struct MonitoringOptions: ParsableArguments {
    @Option(ServeSettings.metricsHost) var metricsHost: String?
    @Option(ServeSettings.metricsPort) var metricsPort: Int?
    @Option(ServeSettings.stopDelaySeconds) var stopDelaySeconds: Int?

    /// Nil if metrics are off: then nothing is measured.
    func metrics(_ settings: ResolvedSettings) async throws -> ServerMetrics? {
        guard try await port(settings) >= 0 else { return nil }
        let metrics = ServerMetrics()
        metrics.registry.add(ProcessMetrics.collector(started: Date().timeIntervalSince1970))
        return metrics
    }

    func listener(
        for metrics: ServerMetrics, _ settings: ResolvedSettings, logger: Logger
    ) async throws -> MetricsServer {
        MetricsServer(
            metrics,
            host: try await settings.value(of: ServeSettings.metricsHost, given: metricsHost),
            port: try await port(settings), logger: logger)
    }

    func stopDelay(_ settings: ResolvedSettings) async throws -> Int {
        try await settings.value(of: ServeSettings.stopDelaySeconds, given: stopDelaySeconds)
    }

    private func port(_ settings: ResolvedSettings) async throws -> Int {
        try await settings.value(of: ServeSettings.metricsPort, given: metricsPort)
    }
}

extension OpenDatabase {
    /// Measures the free space of the disk that this process writes to.
    var freeSpace: MetricsRegistry.Collector {
        let folder: String
        switch address {
        case .file(let path): folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        case .server: folder = FileManager.default.temporaryDirectory.path
        }
        return {
            let system = try? FileManager.default.attributesOfFileSystem(forPath: folder)
            guard let bytes = (system?[.systemFreeSize] as? NSNumber)?.doubleValue else {
                return []
            }
            return [MetricSample(ServerMetric.freeDiskBytes, bytes)]
        }
    }
}
