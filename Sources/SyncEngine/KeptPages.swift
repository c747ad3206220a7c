import Synchronization

/// Pages of records as they were put into words, for the next who asks for the same and sees the
/// same.
///
/// When devices begin, each goes through all records, and most of them see what others see. To read
/// a page and to put it into words is nearly all that this costs. So what is asked for a second
/// time is kept. It holds as long as nothing of it has changed, which the number of its records
/// tells: one that changes leaves its place for the end of the order, and none comes in between.
final class KeptPages: Sendable {
    /// A few hundred bytes each.
    private static let mostAsked = 10_000
    static let idleSeconds: Int64 = 600

    private let maxBytes: Int
    private let state = Mutex(PagesState())

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    var isEnabled: Bool { maxBytes > 0 }

    func page(for question: PageQuestion, at now: Instant) -> KeptPage? {
        state.withLock { state in
            state.entries[question]?.lastUse = now
            return state.entries[question]?.page
        }
    }

    /// Whether somebody has asked for it before, and not only now.
    func wasAsked(_ question: PageQuestion) -> Bool {
        state.withLock { state in
            if state.asked.count >= Self.mostAsked {
                state.asked.removeAll(keepingCapacity: true)
            }
            return !state.asked.insert(question).inserted
        }
    }

    /// Does nothing where there is no room. Room is made of what nobody has asked for in a while:
    /// whoever goes through more than there is room for finds a part of it again.
    func keep(_ page: KeptPage, for question: PageQuestion, at now: Instant) {
        state.withLock { state in
            state.remove(question)
            if state.bytes + page.bytes > maxBytes {
                state.removeAll(unusedSince: now.adding(seconds: -Self.idleSeconds))
            }
            guard state.bytes + page.bytes <= maxBytes else { return }
            state.entries[question] = PagesState.Entry(page: page, lastUse: now)
            state.bytes += page.bytes
        }
    }

    /// That nothing of it has changed until a moment.
    func note(_ question: PageQuestion, holdsAt moment: EnvironmentMoment) {
        state.withLock { state in
            guard let known = state.entries[question]?.page.moment,
                known.deployment == moment.deployment, known.sequence <= moment.sequence
            else { return }
            state.entries[question]?.page.moment = moment
        }
    }

    func remove(_ question: PageQuestion) { state.withLock { $0.remove(question) } }
}

private struct PagesState {
    struct Entry {
        var page: KeptPage
        var lastUse: Instant
    }

    var entries: [PageQuestion: Entry] = [:]
    var bytes = 0
    /// What somebody has asked for once.
    var asked: Set<PageQuestion> = []

    mutating func remove(_ question: PageQuestion) {
        bytes -= entries.removeValue(forKey: question)?.page.bytes ?? 0
    }

    mutating func removeAll(unusedSince moment: Instant) {
        entries = entries.filter { $0.value.lastUse >= moment }
        bytes = entries.values.reduce(0) { $0 + $1.page.bytes }
    }
}

/// All that decides what is told, beside the data: of a page that is full, behind which there is
/// more.
struct PageQuestion: Hashable, Sendable {
    let viewer: Viewer
    let after: Int64
    let limit: Int
    /// See `PageRequest`.
    let skipsDeleted: Bool
}

struct KeptPage: Sendable {
    let records: WrittenRecords
    let span: RecordSpan
    /// In the span, those left out included.
    let scanned: Int
    /// Who holds what is older than this may have to be told more.
    let heldSince: Int64
    /// When nothing of it had changed.
    var moment: EnvironmentMoment

    fileprivate var bytes: Int { records.json.count }
}
