package import ChangeRules
import CoreMetrics
import HTTPTypes
package import Monitoring
import NIOConcurrencyHelpers
package import SyncEngine

/// Records what a server does, through swift-metrics.
package final class ServerMetrics: Sendable {
    package let registry: MetricsRegistry
    private let routes = NIOLockedValueBox<[RouteKey: RouteMetrics]>([:])
    private let errors = NIOLockedValueBox<[String: Counter]>([:])
    private let outcomes: [Outcome.Kind: Counter]
    private let received: Counter
    private let sent: Counter
    private let connections: Meter
    private let commitTimes: Timer
    private let readTimes: Timer
    private let cachedPages: Counter
    private let readPages: Counter
    private let failedBackups: Counter
    private let filledRecords: Counter
    private let unfinishedFills: Meter

    package init() {
        let registry = MetricsRegistry(ServerMetric.all)
        self.registry = registry
        outcomes = Dictionary(
            uniqueKeysWithValues: Outcome.Kind.allCases.map {
                ($0, registry.counter(ServerMetric.changes, $0.rawValue))
            })
        received = registry.counter(ServerMetric.receivedBytes)
        sent = registry.counter(ServerMetric.sentBytes)
        connections = registry.gauge(ServerMetric.connections)
        commitTimes = registry.timer(ServerMetric.commitSeconds)
        readTimes = registry.timer(ServerMetric.pageReadSeconds)
        cachedPages = registry.counter(ServerMetric.cachedPages)
        readPages = registry.counter(ServerMetric.readPages)
        failedBackups = registry.counter(ServerMetric.failedBackups)
        filledRecords = registry.counter(ServerMetric.filledRecords)
        unfinishedFills = registry.gauge(ServerMetric.unfinishedFills)
    }
}

// MARK: - Requests

extension ServerMetrics {
    /// Counts an answered request. `route` is the template of its path, such as
    /// `/v1/{environment}/sync`, and counts as `none` if nothing is served there: paths themselves
    /// are unbounded.
    func answered(
        _ route: String?, _ method: HTTPRequest.Method, _ status: HTTPResponse.Status,
        in duration: Duration
    ) {
        // Hummingbird has a responder for such paths.
        let isServed = route != "NotFound"
        let key = RouteKey(
            route: isServed ? route ?? "none" : "none", method: method, status: status.kind)
        let metrics = routes.withLockedValue { routes in
            if let known = routes[key] { return known }
            // A counter that begins with an error shows no increase: it was not there before.
            for usual in key.withUsualStatuses where routes[usual] == nil {
                routes[usual] = RouteMetrics(usual, in: registry)
            }
            let metrics = routes[key] ?? RouteMetrics(key, in: registry)
            routes[key] = metrics
            return metrics
        }
        metrics.count.increment()
        metrics.times.recordNanoseconds(duration.nanoseconds)
    }

    /// Counts an error response. Codes are those of `HTTPFailure`.
    func failed(_ code: String) {
        errors.withLockedValue { errors in
            if let known = errors[code] { return known }
            let counter = registry.counter(ServerMetric.errors, code)
            errors[code] = counter
            return counter
        }.increment()
    }
}

private struct RouteKey: Hashable {
    let route: String
    let method: String
    var status: HTTPResponse.Status.Kind

    init(route: String, method: HTTPRequest.Method, status: HTTPResponse.Status.Kind) {
        self.route = route
        // A client may invent any number of them.
        self.method = Self.methods.contains(method) ? method.rawValue : "other"
        self.status = status
    }

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]

    /// The same route and method with each class of status that a request may get.
    var withUsualStatuses: [RouteKey] {
        [HTTPResponse.Status.Kind.successful, .clientError, .serverError].map { status in
            var key = self
            key.status = status
            return key
        }
    }

    var statusName: String {
        switch status {
        case .invalid: "invalid"
        case .informational: "1xx"
        case .successful: "2xx"
        case .redirection: "3xx"
        case .clientError: "4xx"
        case .serverError: "5xx"
        }
    }
}

private struct RouteMetrics {
    let count: Counter
    let times: Timer

    init(_ key: RouteKey, in registry: MetricsRegistry) {
        count = registry.counter(
            ServerMetric.requests, key.route, key.method, key.statusName)
        times = registry.timer(ServerMetric.requestSeconds, key.route, key.method)
    }
}

// MARK: - Connections, backups

extension ServerMetrics {
    func opened() { connections.increment() }
    func closed() { connections.decrement() }
    func received(bytes: Int) { received.increment(by: bytes) }
    func sent(bytes: Int) { sent.increment(by: bytes) }

    /// The metric does not exist before: without a backup, no time would be right.
    ///
    /// - Parameter moment: When the backup was verified.
    package func backedUp(at moment: Instant) {
        registry.gauge(ServerMetric.lastBackup).set(Double(moment.milliseconds) / 1000)
    }

    package func failedToBackUp() { failedBackups.increment() }

    package func filled(records: Int64) { filledRecords.increment(by: records) }

    package func setUnfinishedFills(_ count: Int) { unfinishedFills.set(count) }
}

extension ServerMetrics: EngineObserver {
    package func decided(_ outcomes: [Outcome]) {
        for outcome in outcomes { self.outcomes[outcome.kind]?.increment() }
    }

    package func committed(in duration: Duration) {
        commitTimes.recordNanoseconds(duration.nanoseconds)
    }

    package func readPage(in duration: Duration) {
        readTimes.recordNanoseconds(duration.nanoseconds)
    }

    package func askedForPage(isCached: Bool) {
        (isCached ? cachedPages : readPages).increment()
    }
}

// MARK: - Making metrics

extension MetricsRegistry {
    fileprivate func counter(_ metric: MetricDeclaration, _ labels: String...) -> Counter {
        Counter(
            label: metric.name, dimensions: Array(zip(metric.labels, labels)), factory: self)
    }

    fileprivate func gauge(_ metric: MetricDeclaration) -> Meter {
        Meter(label: metric.name, dimensions: [], factory: self)
    }

    fileprivate func timer(_ metric: MetricDeclaration, _ labels: String...) -> Timer {
        Timer(
            label: metric.name, dimensions: Array(zip(metric.labels, labels)), factory: self)
    }
}

extension Duration {
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
