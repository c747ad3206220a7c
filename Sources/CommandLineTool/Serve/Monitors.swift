import SyncEngine
import SyncServer

/// The records that a server process makes of its work.
struct Monitors {
    /// Nil if nothing is measured.
    let metrics: ServerMetrics?
    /// Nil if nothing is traced.
    let traces: TraceCollector?

    /// Nil if the work of the engines is neither measured nor traced.
    var observer: (any EngineObserver)? {
        traces.map { TracedWork($0.recorder, metrics: metrics) } ?? metrics
    }
}
