import DefinitionModel

/// How much one transaction carries, so that no call waits long for others.
package struct CommitLimits: Hashable, Sendable {
    /// Calls in one transaction at most.
    package var calls = 64
    /// Records and changes that are read for the calls of one transaction, or KiB that their
    /// changes bring along; its first call may need more.
    package var reads = 2000
    /// A transaction that has lasted so long begins no further call.
    package var milliseconds: Int64 = 50
    /// Bytes of the fields of records that are read for the calls of one transaction. A call that
    /// reads as many has a transaction of its own: a record of 8 MiB takes a tenth of a second to
    /// write, and small changes of others would wait for it twice.
    package var recordBytes = 2 << 20
    /// The store gets what calls write as soon as it is so many records, and writes them while
    /// further calls are decided. With a lower number it carries out more statements.
    package var recordsPerWrite = 200
    /// The time for which an environment's transactions presume nothing after one of them has
    /// presumed wrongly, and had to be repeated; see `ExpectedAbsences`.
    package var presumptionPause = Duration.seconds(30)

    package init() {}
}

/// The commits that wait for their environment.
///
/// Reaching the disk is most of what a small commit costs, and it costs the same for many. So while
/// a transaction is on its way, further calls gather, and the next transaction carries them out
/// together (see `CommitRound`). None is answered before the transaction has reached the disk.
package struct CommitQueue: Sendable {
    private let limits: CommitLimits
    private let queue: BatchQueue<CommitCall>
    /// Announces the commits.
    package let feed = CommitFeed()
    package let presumptions: Presumptions
    /// Nil if nobody counts.
    package let observer: (any EngineObserver)?

    package init(
        limits: CommitLimits = CommitLimits(), observer: (any EngineObserver)? = nil
    ) {
        self.limits = limits
        self.observer = observer
        queue = BatchQueue(maxCalls: limits.calls, maxWeight: limits.reads)
        presumptions = Presumptions(pause: limits.presumptionPause)
    }

    /// Carries the call out in a transaction that others may share. It may be decided again when
    /// nothing came of it.
    ///
    /// Cancelling a call that waits removes it; one whose transaction has begun runs to its end.
    package func commit<Result: Sendable>(
        _ need: ReadSet, reading request: PageRequest?, on store: any CommitStore,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (WriteSet, Result)
    ) async throws(StoreError) -> Committed<Result> {
        let committed = CallValue<Committed<Result>>()
        try await queue.run(in: need.environment) { caller in
            CommitCall(need, request, caller, wanting: wanting) { facts throws(StoreError) in
                let (writes, result) = try deciding(facts)
                return (
                    writes,
                    { page, before in
                        committed.set(Committed(result: result, page: page, before: before))
                        caller.finish(.success(()))
                    }
                )
            }
        } leading: { lead in
            await carryOut(lead, in: need.environment, on: store)
        }
        return try committed.get()
    }

    /// Has the calls that no transaction carries yet fail with `stopping`, and later ones that
    /// would have to wait. Nothing came of them.
    package func refuseWaiting() { queue.refuseWaiting() }

    /// Calls that no transaction carries yet.
    package var waitingCalls: Int { queue.waitingCalls }
}

extension CommitQueue {
    private typealias Lead = BatchQueue<CommitCall>.Lead

    /// Gives the number of calls that are finished: at least the first.
    private func carryOut(
        _ lead: Lead, in environment: EnvironmentID, on store: any CommitStore
    ) async -> Int {
        do throws(StoreError) {
            let committed = try await commit(in: environment, on: store) { lead.takeCalls() }
            lead.answerAfterHandOff { committed.answer() }
            return committed.calls.answers.count
        } catch {
            // Calls that have come since wait on: another transaction may succeed.
            let calls = lead.takenCalls.isEmpty ? lead.takeCalls() : lead.takenCalls
            await carryOutAlone(calls, failing: error, in: environment, on: store)
            return calls.count
        }
    }

    /// One transaction, which takes calls when it begins and again when it had to wait for its
    /// lock. The calls it carried out are not answered yet.
    private func commit(
        in environment: EnvironmentID, on store: any CommitStore,
        taking takeCalls: @escaping @Sendable () -> [CommitCall]
    ) async throws(StoreError) -> CommittedCalls {
        let limits = limits
        let committed = try await store.commit(in: environment) { transaction in
            let calls = takeCalls()
            // The leader may have been cancelled, with no other call waiting.
            guard !calls.isEmpty else { return DecidedCalls() }
            var round = try CommitRound(of: calls, transaction, limits)
            if round.hasWaited { try round.add(takeCalls()) }
            return try round.decide()
        }
        if committed.calls.hasWritten {
            feed.announce(committed.calls.lastChange.sequence, in: environment)
        }
        return committed
    }

    /// Each call in a transaction of its own, so that one that cannot be written fails alone. An
    /// error that is in the way of every transaction fails all of them.
    private func carryOutAlone(
        _ calls: [CommitCall], failing error: StoreError, in environment: EnvironmentID,
        on store: any CommitStore
    ) async {
        switch error {
        case .failed, .unreadable, .cancelled:
            guard calls.count > 1 else { break }
            for index in calls.indices {
                do throws(StoreError) {
                    let call = calls[index]
                    try await commit(in: environment, on: store) { [call] }.answer()
                } catch {
                    calls[index].fail(error)
                }
            }
            return
        case .busy, .unavailable, .stopping, .outOfSpace, .memoryFull: break
        }
        for call in calls { call.fail(error) }
    }
}

extension CommittedCalls {
    /// Gives each call its result, with its page.
    fileprivate func answer() {
        for (index, answer) in calls.answers.enumerated() {
            answer(pages?[index] ?? nil)
        }
    }
}

/// A commit that waits for its turn. One reference, since lists of calls are copied.
final class CommitCall: QueuedCall {
    typealias Wanting =
        @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>

    /// Gives the caller its result, with the page that was read, if any.
    typealias Answer = @Sendable (Page?) -> Void
    /// The same, with the environment's last change before those of the call.
    typealias Decided = @Sendable (Page?, ChangePoint) -> Void

    let need: ReadSet
    let pageRequest: PageRequest?
    let wanting: Wanting
    /// Gives what is to be written, and the answer when that has reached the disk.
    let deciding: @Sendable (Facts) throws(StoreError) -> (WriteSet, Decided)
    private let caller: WaitingCaller

    init(
        _ need: ReadSet, _ pageRequest: PageRequest?, _ caller: WaitingCaller,
        wanting: @escaping Wanting,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (WriteSet, Decided)
    ) {
        self.need = need
        self.pageRequest = pageRequest
        self.wanting = wanting
        self.deciding = deciding
        self.caller = caller
    }

    /// Looking for changes of related records takes as long as reading hundreds of records, and so
    /// may looking for those that name a file.
    var weight: Int {
        let reads =
            need.guids.count + need.changeIDs.count + (need.graphs.isEmpty ? 0 : 500)
            + min(1000, 200 * need.files.guids.count)
        return max(1, reads, need.changeBytes >> 10)
    }

    var user: ByteKey? { ByteKey(need.device.login) }

    func fail(_ error: StoreError) { caller.finish(.failure(error)) }
}
