/// Watches the searches of a request, which run on threads where its task cannot be asked.
package protocol SearchWatch: Sendable {
    /// Called after each read of records with fields of so many bytes. Throws `stopping` if the
    /// server stops, and `cancelled` if nobody waits for the result any more.
    func goOn(afterReading bytes: Int) throws(StoreError)
}

/// The watch of the request that the current task answers.
package enum RequestWatch {
    /// Nil if nobody watches.
    @TaskLocal package static var current: (any SearchWatch)?
}
