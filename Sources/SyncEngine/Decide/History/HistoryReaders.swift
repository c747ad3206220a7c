package import Queues

/// Lets few pushes at once read long histories before their turn, because each keeps what it has
/// read until it is decided. Further ones wait.
final class HistoryReaders: Sendable {
    private let turns: FairTurns

    init(turns: Int, maxWaiting: Int) {
        self.turns = FairTurns(turns: turns, maxWaiting: maxWaiting)
    }

    /// The number of those that wait.
    var waiting: Int { turns.waitingCount }

    /// A push's turn to read, which ends with the last reference.
    final class Turn: Sendable {
        private let turns: FairTurns
        private let user: WaitOrigin

        fileprivate init(of user: WaitOrigin, among turns: FairTurns) {
            self.user = user
            self.turns = turns
        }

        deinit { turns.leave(user) }
    }

    /// Waits for a turn. Throws `busy` if too many wait, and `cancelled` if the task is cancelled.
    func turn(for login: String) async throws(StoreError) -> Turn {
        let user = WaitOrigin(group: login)
        try await turns.begin(user)
        return Turn(of: user, among: turns)
    }
}

extension FairTurns {
    /// Waits for a turn, also for a cancelled task that need not wait. Call `leave` afterwards,
    /// unless this throws.
    package func begin(_ origin: WaitOrigin) async throws(StoreError) {
        guard !enterIfFree(origin) else { return }
        do throws(Refusal) {
            try await enter(origin)
        } catch {
            switch error {
            case .full: throw .busy
            case .stopping: throw .stopping
            case .cancelled: throw .cancelled
            }
        }
    }
}
