package import CoreMetrics
import Synchronization

/// The metrics of a process: a backend of swift-metrics that writes them as text.
///
/// Only declared metrics exist, so their number is bounded by the number of their labels' values.
/// Recording is an atomic addition, or a short lock for a duration; what is measured on demand is
/// asked for when the text is written.
package final class MetricsRegistry: MetricsFactory {
    package typealias Collector = @Sendable () async -> [MetricSample]

    private struct Key: Hashable {
        let name: String
        let labels: [String]
    }

    private enum Handler {
        case counter(StoredCounter)
        case gauge(StoredGauge)
        case histogram(StoredHistogram)
    }

    private let declarations: [String: MetricDeclaration]
    /// The order of the text.
    private let names: [String]
    private let handlers = Mutex<[Key: Handler]>([:])
    private let collectors = Mutex<[Collector]>([])

    package init(_ declarations: [MetricDeclaration]) {
        names = declarations.map(\.name)
        self.declarations = Dictionary(
            declarations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a source of values that are measured when the text is written.
    package func add(_ collector: @escaping Collector) {
        collectors.withLock { $0.append(collector) }
    }

    /// The text format of Prometheus, version 0.0.4.
    package func text() async -> String {
        var samples: [MetricSample] = []
        for collector in collectors.withLock({ $0 }) { samples += await collector() }
        var lines = MetricsText()
        let collected = Dictionary(grouping: samples, by: \.metric.name)
        let stored = Dictionary(grouping: handlers.withLock { Array($0) }, by: \.key.name)
        for name in names {
            guard let metric = declarations[name] else { continue }
            let handlers = (stored[name] ?? []).sorted {
                $0.key.labels.lexicographicallyPrecedes($1.key.labels)
            }
            guard !handlers.isEmpty || collected[name] != nil else { continue }
            lines.begin(metric)
            for (key, handler) in handlers {
                switch handler {
                case .counter(let counter):
                    lines.add(metric, key.labels, Double(counter.count))
                case .gauge(let gauge): lines.add(metric, key.labels, gauge.value)
                case .histogram(let histogram):
                    lines.add(metric, key.labels, histogram.durations)
                }
            }
            for sample in collected[name] ?? [] { lines.add(metric, sample.labels, sample.value) }
        }
        return lines.text
    }
}

// MARK: - swift-metrics

extension MetricsRegistry {
    package func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        let handler = handler(label, dimensions, .counter, or: .counter(StoredCounter()))
        guard case .counter(let counter) = handler else { return NOOPMetricsHandler.instance }
        return counter
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate {
            histogram(label, dimensions) ?? NOOPMetricsHandler.instance
        } else {
            gauge(label, dimensions) ?? NOOPMetricsHandler.instance
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    /// Counters of a process that runs on keep what they have.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> StoredGauge? {
        guard case .gauge(let gauge) = handler(label, dimensions, .gauge, or: .gauge(StoredGauge()))
        else { return nil }
        return gauge
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> StoredHistogram? {
        let fresh = Handler.histogram(StoredHistogram())
        guard case .histogram(let histogram) = handler(label, dimensions, .histogram, or: fresh)
        else { return nil }
        return histogram
    }

    /// The handler of these labels. Nil for a metric that is not declared with this kind and these
    /// labels: other libraries may record metrics of their own.
    private func handler(
        _ name: String, _ dimensions: [(String, String)], _ kind: MetricDeclaration.Kind,
        or fresh: Handler
    ) -> Handler? {
        guard let metric = declarations[name], metric.kind == kind,
            metric.labels == dimensions.map(\.0)
        else { return nil }
        let key = Key(name: name, labels: dimensions.map(\.1))
        return handlers.withLock { handlers in
            if let known = handlers[key] { return known }
            handlers[key] = fresh
            return fresh
        }
    }
}
