import NIOConcurrencyHelpers

/// The operators who design each draft now: those whose pages listen to this process.
final class DraftPresence: Sendable {
    private struct Designer: Sendable {
        let draft: String
        let name: String
        let signal: @Sendable () -> Void
    }

    private struct Designers {
        var next = 0
        var all: [Int: Designer] = [:]
    }

    private let designers = NIOLockedValueBox(Designers())

    /// The names, sorted, each once.
    func names(at draft: String) -> [String] {
        let found = designers.withLockedValue { $0.all.values.filter { $0.draft == draft } }
        return Set(found.map(\.name)).sorted()
    }

    /// Adds a designer until the result is released. `signal` is called whenever there may be news
    /// of the draft.
    func enter(
        _ name: String, at draft: String, signal: @escaping @Sendable () -> Void
    ) -> DraftSeat {
        let number = designers.withLockedValue { designers in
            designers.next += 1
            designers.all[designers.next] = Designer(draft: draft, name: name, signal: signal)
            return designers.next
        }
        tell(at: draft)
        return DraftSeat(presence: self, number: number)
    }

    /// Signals those who design a draft.
    func tell(at draft: String) {
        let found = designers.withLockedValue { $0.all.values.filter { $0.draft == draft } }
        for designer in found { designer.signal() }
    }

    fileprivate func leave(_ number: Int) {
        let left = designers.withLockedValue { $0.all.removeValue(forKey: number) }
        if let left { tell(at: left.draft) }
    }
}

/// The presence of a designer at a draft, until it is released.
final class DraftSeat: Sendable {
    private let presence: DraftPresence
    private let number: Int

    fileprivate init(presence: DraftPresence, number: Int) {
        self.presence = presence
        self.number = number
    }

    deinit { presence.leave(number) }
}
