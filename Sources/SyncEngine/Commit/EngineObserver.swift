package import ChangeRules

/// Counts what the engines of a database do. Called on hot paths, so it must not wait.
package protocol EngineObserver: AnyObject, Sendable {
    /// The changes of a push were decided, or had been before.
    func decided(_ outcomes: [Outcome])

    /// A transaction that carries calls has ended; `duration` includes the wait for its lock.
    func committed(in duration: Duration)

    /// A page of records was read from the database.
    func readPage(in duration: Duration)

    /// A page was asked for that may be cached.
    func askedForPage(isCached: Bool)
}
