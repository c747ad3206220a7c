package import Administration
import NIOConcurrencyHelpers
package import SyncEngine

/// The operators who design each draft now: those whose pages listen to this process, and those of
/// the other processes on the database, as far as these have told.
package final class DraftPresence: Sendable {
    private struct Designer: Sendable {
        let draft: String
        let name: String
        let signal: @Sendable () -> Void
    }

    /// News of a draft from another process.
    private struct DraftNews: Sendable {
        let news: DesignerNews
        let at: ContinuousClock.Instant
    }

    private struct Designers {
        var next = 0
        var own: [Int: Designer] = [:]
        /// By process and draft.
        var heard: [[String]: DraftNews] = [:]
        /// When the other processes were told of each draft.
        var told: [String: ContinuousClock.Instant] = [:]

        func ownNames(at draft: String) -> [String] {
            own.values.filter { $0.draft == draft }.map(\.name)
        }
    }

    private let designers = NIOLockedValueBox(Designers())
    private let process: String
    /// Nil if this process is the only one.
    private let channel: (any DesignerChannel)?
    /// News of a process that sends none for this long is dropped.
    private let lifetime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter process: Distinguishes the processes on a database.
    package init(
        of process: String, channel: (any DesignerChannel)?,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.process = process
        self.channel = channel
        self.now = now
        lifetime = .seconds(3 * AdministrationLimits.pulseSeconds)
    }

    /// The names, sorted, each once.
    package func names(at draft: String) -> [String] {
        let present = now()
        return designers.withLockedValue { designers in
            designers.heard = designers.heard.filter { present - $1.at < lifetime }
            let others = designers.heard.values.filter { $0.news.draft == draft }
            return Set(designers.ownNames(at: draft) + others.flatMap(\.news.names)).sorted()
        }
    }

    /// Adds a designer until `leave` is called or the result is released. `signal` is called
    /// whenever there may be news of the draft.
    package func enter(
        _ name: String, at draft: String, signal: @escaping @Sendable () -> Void
    ) -> DraftSubscription {
        let number = designers.withLockedValue { designers in
            designers.next += 1
            designers.own[designers.next] = Designer(draft: draft, name: name, signal: signal)
            designers.told[draft] = nil
            return designers.next
        }
        self.signal(at: draft)
        return DraftSubscription(presence: self, number: number)
    }

    /// Signals those who design a draft in this process.
    private func signal(at draft: String) {
        let found = designers.withLockedValue { $0.own.values.filter { $0.draft == draft } }
        for designer in found { designer.signal() }
    }

    fileprivate func remove(_ number: Int) -> String? {
        let left = designers.withLockedValue { $0.own.removeValue(forKey: number) }
        if let left { signal(at: left.draft) }
        return left?.draft
    }

    // MARK: Other processes

    /// Signals those who design a draft, in every process: it was written.
    package func tell(at draft: String) async throws(StoreError) {
        signal(at: draft)
        try await tellOthers(of: draft)
    }

    /// Tells the other processes again who is here, unless they know.
    package func renew(at draft: String) async throws(StoreError) {
        let present = now()
        let isKnown = designers.withLockedValue { designers in
            let interval = Duration.seconds(AdministrationLimits.pulseSeconds)
            return designers.told[draft].map { present - $0 < interval } ?? false
        }
        if !isKnown { try await tellOthers(of: draft) }
    }

    fileprivate func tellOthers(of draft: String) async throws(StoreError) {
        guard let channel else { return }
        let present = now()
        let names = designers.withLockedValue { designers in
            let names = Set(designers.ownNames(at: draft)).sorted()
            designers.told[draft] = names.isEmpty ? nil : present
            return names
        }
        try await channel.tell(DesignerNews(process: process, draft: draft, names: names))
    }

    /// Takes the news of another process. If it is new here, it gets the names of this one.
    package func hear(_ news: DesignerNews) async throws(StoreError) {
        guard news.process != process else { return }
        let present = now()
        let isAnswered = designers.withLockedValue { designers in
            let key = [news.process, news.draft]
            let isNew = designers.heard[key] == nil
            designers.heard[key] =
                news.names.isEmpty ? nil : DraftNews(news: news, at: present)
            return isNew && !news.names.isEmpty && !designers.ownNames(at: news.draft).isEmpty
        }
        signal(at: news.draft)
        if isAnswered { try await tellOthers(of: news.draft) }
    }
}

/// The presence of a designer at a draft, until it is left or released.
package final class DraftSubscription: Sendable {
    private let presence: DraftPresence
    private let number: Int

    fileprivate init(presence: DraftPresence, number: Int) {
        self.presence = presence
        self.number = number
    }

    /// Leaves the draft, and tells the other processes. If these cannot be told, they forget it
    /// after a while.
    package func leave() async throws(StoreError) {
        guard let draft = presence.remove(number) else { return }
        try await presence.tellOthers(of: draft)
    }

    deinit { _ = presence.remove(number) }
}
