import Synchronization

/// Pages of records as they were put into words, for the next who asks for the same and sees the
/// same.
///
/// When devices begin, each goes through all records, and most of them see what others see. To read
/// a page and to put it into words is most of what this costs. So what is asked for a second time
/// is kept. It holds as long as nothing of it has changed, which the number of its records
/// tells: one that changes leaves its place for the end of the order, and none comes in between.
final class KeptPages: Sendable {
    /// A few hundred bytes each.
    private static let mostAsked = 10_000
    fileprivate static let idleSeconds: Int64 = 600
    fileprivate static let sweepSeconds: Int64 = 10

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
                state.askedBefore = state.asked
                state.asked = []
            }
            let isNew = state.asked.insert(question).inserted
            return !isNew || state.askedBefore.contains(question)
        }
    }

    /// Does nothing where there is no room. Room is made of what nobody has asked for in a while:
    /// whoever goes through more than there is room for finds a part of it again.
    func keep(_ page: KeptPage, for question: PageQuestion, at now: Instant) {
        state.withLock { state in
            if let known = state.entries[question]?.page, known.isLater(than: page) { return }
            state.remove(question)
            if state.bytes + page.bytes > maxBytes { state.sweep(at: now) }
            guard state.bytes + page.bytes <= maxBytes else { return }
            state.entries[question] = PagesState.Entry(page: page, lastUse: now)
            state.bytes += page.bytes
        }
    }

    /// That nothing of a page has changed until a moment. Does nothing where another one has taken
    /// its place meanwhile: of that nobody has counted anything.
    func note(_ page: KeptPage, for question: PageQuestion, holdsAt moment: EnvironmentMoment) {
        state.withLock { state in
            guard let known = state.entries[question]?.page, known.span == page.span,
                known.scanned == page.scanned, known.moment.deployment == moment.deployment,
                known.moment.sequence <= moment.sequence
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
    /// What somebody has asked for once, and what somebody had when that was empty.
    var asked: Set<PageQuestion> = []
    var askedBefore: Set<PageQuestion> = []
    /// When it was looked for pages that nobody uses.
    var lastSweep: Instant?

    mutating func remove(_ question: PageQuestion) {
        bytes -= entries.removeValue(forKey: question)?.page.bytes ?? 0
    }

    /// Removes what nobody has asked for in a while. That looks at all pages, so not each time.
    mutating func sweep(at now: Instant) {
        let isEarly = lastSweep.map { now < $0.adding(seconds: KeptPages.sweepSeconds) } ?? false
        guard !isEarly else { return }
        lastSweep = now
        let oldest = now.adding(seconds: -KeptPages.idleSeconds)
        entries = entries.filter { $0.value.lastUse >= oldest }
        bytes = entries.values.reduce(0) { $0 + $1.page.bytes }
    }
}

/// All that decides what is told, beside the data: of a page that is full, behind which there is
/// more.
struct PageQuestion: Hashable, Sendable {
    let viewer: Viewer
    /// The encoder's name.
    let encoder: String
    let after: Int64
    let limit: Int
    /// See `PageRequest`.
    let skipsDeleted: Bool
}

struct KeptPage: Sendable {
    let records: EncodedRecords
    let span: RecordSpan
    /// In the span, those left out included.
    let scanned: Int
    /// Who holds what is older than this may have to be told more.
    let heldSince: Int64
    /// When nothing of it had changed.
    var moment: EnvironmentMoment

    /// With about what it takes beside its records.
    fileprivate var bytes: Int { records.bytes.count + 1024 }

    fileprivate func isLater(than other: KeptPage) -> Bool {
        moment.deployment == other.moment.deployment
            && moment.sequence > other.moment.sequence
    }
}
