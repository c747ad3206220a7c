import Synchronization

/// How much a person has done.
final class Effort: Sendable {
    private let counts = Mutex((clicks: 0, keys: 0))

    func click() { counts.withLock { $0.clicks += 1 } }

    func type(_ text: String) { counts.withLock { $0.keys += text.count } }

    var clicks: Int { counts.withLock { $0.clicks } }

    /// Estimated by the keystroke-level model of Card, Moran and Newell: 1.1 s to point at
    /// something, 0.2 s to press a button or a key, and 1.35 s to think before each click.
    var seconds: Double {
        counts.withLock { counts in
            let (click, key) = (1.1 + 0.2 + 1.35, 0.2)
            return Double(counts.clicks) * click + Double(counts.keys) * key
        }
    }
}
