import NIOConcurrencyHelpers

/// State that the handlers of a connection share with its current request: the owner that is
/// charged for the memory, and how much that is. A client may send requests before it has the
/// responses to earlier ones; what each of them needs counts until its own response is sent.
///
/// A client may go while its request is answered: the memory is given back when the connection is
/// closed and nothing answers its requests any more, whichever comes last.
final class ConnectionState: Sendable {
    /// The connection whose requests the current task answers.
    @TaskLocal static var current: ConnectionState?

    private struct State {
        /// The address of the client of the current request.
        var client: IPAddress?
        var owner: MemoryOwner
        /// The bytes of each request whose response is not sent, oldest first: its body, and what
        /// its answer needs. Never empty: the next request gets the last place.
        var bytes = [0]
        /// How many of these requests have arrived, at least in part, and how many of them a route
        /// has begun to answer.
        var arrivedCount = 0
        var begunCount = 0
        /// The sum of what the current request needs besides its body, counted or not.
        var neededBytes = 0
        var isBodyStreamed = false
        var isAnswerStreamed = false
        var isInputClosed = false
        var isClosed = false
        /// Whether the task that answers the requests runs.
        var isServed = false

        /// Whether nobody would give back what is taken.
        var isOver: Bool { isClosed && !isServed }
        var heldBytes: Int { bytes.reduce(0, +) }
        /// The place of the request that is answered, or is answered next.
        var current: Int { max(0, begunCount - 1) }
        /// The place of the request that arrives, or has arrived last.
        var latest: Int { max(0, arrivedCount - 1) }
    }

    private let budget: MemoryBudget
    private let state: NIOLockedValueBox<State>

    init(budget: MemoryBudget, client: IPAddress?) {
        self.budget = budget
        state = NIOLockedValueBox(State(client: client, owner: .address(client)))
    }

    /// The most that a request may hold.
    var maxBytes: Int { budget.maxOfOne }
    var client: IPAddress? { state.withLockedValue { $0.client } }
    var holdsBytes: Bool { state.withLockedValue { $0.heldBytes > 0 } }
    var isBodyStreamed: Bool { state.withLockedValue { $0.isBodyStreamed } }
    var isAnswerStreamed: Bool { state.withLockedValue { $0.isAnswerStreamed } }

    /// Whether the client has closed its side of the connection. It does so when it has gone.
    var isInputClosed: Bool { state.withLockedValue { $0.isInputClosed } }

    func closeInput() { state.withLockedValue { $0.isInputClosed = true } }

    /// The task that answers the requests begins, which may be after the connection was closed.
    func beginServing() { state.withLockedValue { $0.isServed = true } }

    func endServing() {
        state.withLockedValue { state in
            state.isServed = false
            giveRest(of: &state)
        }
    }

    /// The connection is closed: nothing arrives any more, and nothing is sent.
    func close() {
        state.withLockedValue { state in
            state.isClosed = true
            giveRest(of: &state)
        }
    }

    private func giveRest(of state: inout State) {
        guard state.isOver else { return }
        budget.give(state.heldBytes, of: state.owner)
        state.bytes = state.bytes.map { _ in 0 }
    }

    /// A request of a client begins.
    func begin(from client: IPAddress?) {
        state.withLockedValue { state in
            state.client = client
            guard state.heldBytes == 0 else { return }
            state.owner = .address(client)
        }
    }

    /// A request begins to arrive.
    func arrive() {
        state.withLockedValue { state in
            state.arrivedCount += 1
            if state.arrivedCount > state.bytes.count { state.bytes.append(0) }
        }
    }

    /// A route begins to answer a request. The response to the one before, of a client that does
    /// not wait for it, may still have to be sent.
    func beginAnswer() {
        state.withLockedValue { state in
            state.begunCount += 1
            if state.begunCount > state.bytes.count { state.bytes.append(0) }
            state.neededBytes = 0
            state.isBodyStreamed = false
            state.isAnswerStreamed = false
        }
    }

    /// Charges the request to a user from now on.
    func charge(_ user: UserKey) {
        state.withLockedValue { state in
            let owner = MemoryOwner.user(user)
            guard state.owner != owner else { return }
            budget.move(state.heldBytes, from: state.owner, to: owner)
            state.owner = owner
        }
    }

    /// Counts nothing when the connection is over.
    func take(_ bytes: Int) throws(MemoryShortage) {
        try state.withLockedValue { take(bytes, at: $0.current, of: &$0) }.get()
    }

    /// Counts bytes of the body of the request that arrives.
    func takeBody(_ bytes: Int) throws(MemoryShortage) {
        try state.withLockedValue { take(bytes, at: $0.latest, of: &$0) }.get()
    }

    /// Counts what the request needs besides its body until its response is sent: all of it
    /// together at most half of a share, so that the request can be done at all.
    func hold(_ bytes: Int) throws(MemoryShortage) {
        let most = budget.maxOfOne / 2
        let result = state.withLockedValue { state in
            let needed = state.neededBytes + bytes
            let counted = min(needed, most) - min(state.neededBytes, most)
            let result = take(counted, at: state.current, of: &state)
            if case .success = result { state.neededBytes = needed }
            return result
        }
        try result.get()
    }

    private func take(
        _ bytes: Int, at place: Int, of state: inout State
    ) -> Result<Void, MemoryShortage> {
        guard !state.isOver else { return .success(()) }
        do throws(MemoryShortage) {
            try budget.take(bytes, for: state.owner)
            state.bytes[place] += bytes
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    func give(_ bytes: Int) {
        state.withLockedValue { state in
            let given = min(bytes, state.bytes[state.current])
            state.bytes[state.current] -= given
            budget.give(given, of: state.owner)
        }
    }

    func streamBody() { state.withLockedValue { $0.isBodyStreamed = true } }

    /// Throws if there is no room for the buffers.
    func streamAnswer() throws(MemoryShortage) {
        state.withLockedValue { $0.isAnswerStreamed = true }
        try take(Self.streamBytes)
    }

    /// The body has been used: makes room for the response, of which at most one owner's share is
    /// counted, so that it can be sent at all.
    func answer(_ bytes: Int) throws(MemoryShortage) {
        state.withLockedValue { $0.neededBytes = 0 }
        give(.max)
        try take(min(bytes, budget.maxOfOne))
    }

    /// The response to the oldest request has been sent. The bodies of later ones stay counted.
    func finish() {
        state.withLockedValue { state in
            budget.give(state.bytes.removeFirst(), of: state.owner)
            if state.bytes.isEmpty { state.bytes.append(0) }
            state.arrivedCount = max(0, state.arrivedCount - 1)
            state.begunCount = max(0, state.begunCount - 1)
            guard state.begunCount == 0 else { return }
            state.neededBytes = 0
            let owner = MemoryOwner.address(state.client)
            budget.move(state.heldBytes, from: state.owner, to: owner)
            state.owner = owner
            state.isBodyStreamed = false
            state.isAnswerStreamed = false
        }
    }

    /// A chunk that is read, and one that waits for the client.
    private static let streamBytes = 2 * chunkBytes
}
