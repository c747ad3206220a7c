import NIOConcurrencyHelpers

/// Lets one simulation run at a time in a process.
final class SimulationDesk: Sendable {
    private let present = NIOLockedValueBox<String?>(nil)

    /// The operator whose simulation runs; nil if none does.
    var runner: String? { present.withLockedValue { $0 } }

    /// Nil while another simulation runs. The next one may begin when the result is released.
    func enter(_ name: String) -> SimulationTurn? {
        let isFree = present.withLockedValue { present in
            guard present == nil else { return false }
            present = name
            return true
        }
        return isFree ? SimulationTurn(self) : nil
    }

    fileprivate func leave() { present.withLockedValue { $0 = nil } }
}

/// The right to run a simulation, until it is released.
final class SimulationTurn: Sendable {
    private let desk: SimulationDesk

    fileprivate init(_ desk: SimulationDesk) { self.desk = desk }

    deinit { desk.leave() }
}
