import Queues
import SyncEngine

/// A search ends between two reads if the server stops, or the client has gone.
struct WatchedSearch: SearchWatch {
    let turns: FairTurns
    let context: ConnectionContext

    func goOn(afterReading bytes: Int) throws(StoreError) {
        if turns.isStopping { throw .stopping }
        guard context.isOpen else { throw .cancelled }
    }
}
