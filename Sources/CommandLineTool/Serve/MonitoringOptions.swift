import ArgumentParser
import Foundation
import Logging
import Monitoring
import SyncServer
import Traces

/// Options for those who watch a server; see `ServeSettings`.
struct MonitoringOptions: ParsableArguments {
    @Option(ServeSettings.metricsHost) var metricsHost: String?
    @Option(ServeSettings.metricsPort) var metricsPort: Int?
    @Option(ServeSettings.traceCollector) var traceCollector: String?
    @Option(ServeSettings.tracePercent) var tracePercent: Int?
    @Option(ServeSettings.stopDelaySeconds) var stopDelaySeconds: Int?

    func monitors(_ settings: ResolvedSettings) async throws -> Monitors {
        Monitors(metrics: try await metrics(settings), traces: try await traces(settings))
    }

    /// Nil if metrics are off: then nothing is measured.
    private func metrics(_ settings: ResolvedSettings) async throws -> ServerMetrics? {
        guard try await address(settings) != nil else { return nil }
        let metrics = ServerMetrics()
        metrics.registry.add(ProcessMetrics.collector(started: Date().timeIntervalSince1970))
        return metrics
    }

    /// Nil if there are no metrics.
    func listener(
        for metrics: ServerMetrics?, _ settings: ResolvedSettings, logger: Logger
    ) async throws -> MetricsServer? {
        guard let metrics, let (host, port) = try await address(settings) else { return nil }
        return MetricsServer(metrics, host: host, port: port, logger: logger)
    }

    /// Throws a `ListenError` if metrics cannot be served where they are to be.
    func checkAvailable(
        _ settings: ResolvedSettings, beside server: ServerSettings
    ) async throws {
        guard let (host, port) = try await address(settings) else { return }
        guard port == 0 || port != server.port || !overlap(host, server.host) else {
            throw ToolFailure(
                .wrongUsage, "requests and metrics cannot both have the port \(port)",
                help: "give another one with --port or --metrics-port")
        }
        try await checkAddress(host, port: port)
    }

    /// Nil if nothing is traced.
    private func traces(_ settings: ResolvedSettings) async throws -> TraceCollector? {
        let url = try await settings.value(of: ServeSettings.traceCollector, given: traceCollector)
        guard !url.isEmpty else { return nil }
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), URL(string: url)?.host != nil
        else {
            throw ToolFailure(
                .wrongUsage, "'\(url)' is not the address of a collector",
                help: "write it as in 'http://127.0.0.1:4318/v1/traces'")
        }
        let percent = try await settings.value(
            of: ServeSettings.tracePercent, given: tracePercent)
        return TraceCollector(url: url, recorder: TraceRecorder(percent: percent))
    }

    func stopDelay(_ settings: ResolvedSettings) async throws -> Int {
        try await settings.value(of: ServeSettings.stopDelaySeconds, given: stopDelaySeconds)
    }

    /// Nil if metrics are off.
    private func address(
        _ settings: ResolvedSettings
    ) async throws -> (host: String, port: Int)? {
        let port = try await settings.value(of: ServeSettings.metricsPort, given: metricsPort)
        guard port >= 0 else { return nil }
        return (try await settings.value(of: ServeSettings.metricsHost, given: metricsHost), port)
    }
}

/// Whether one address is, or covers, the other, as far as their names tell.
private func overlap(_ first: String, _ second: String) -> Bool {
    let hosts: Set = [first, second]
    return first == second || !hosts.isDisjoint(with: ["0.0.0.0", "::"])
        || hosts.contains("localhost") && !hosts.isDisjoint(with: ["127.0.0.1", "::1"])
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
