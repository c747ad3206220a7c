import Synchronization

/// A cache of encoded pages, shared by devices that ask for the same and see the same.
///
/// New devices read all records, and most of them see the same as others. Reading and encoding a
/// page is most of the cost. A page is therefore cached when it is requested for the second time.
/// It stays valid while the number of records in its span is the same: a changed record moves to
/// the end of the order, and no record is inserted in between.
final class PageCache: Sendable {
    /// The maximum number of questions in each set, of a few hundred bytes each.
    private static let mostAsked = 10_000
    fileprivate static let idleSeconds: Int64 = 600
    fileprivate static let sweepSeconds: Int64 = 10

    private let maxBytes: Int
    private let state = Mutex(PagesState())

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    var isEnabled: Bool { maxBytes > 0 }

    func page(for question: PageQuestion, at now: Instant) -> CachedPage? {
        state.withLock { state in
            state.entries[question]?.lastUse = now
            return state.entries[question]?.page
        }
    }

    /// Returns whether the question was asked before, and records it.
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

    /// Stores a page, unless a later one is stored or there is no room. To make room, it removes
    /// only pages that were not used for `idleSeconds`. A client that reads more than fits then
    /// still finds some pages in the cache.
    func keep(_ page: CachedPage, for question: PageQuestion, at now: Instant) {
        state.withLock { state in
            if let known = state.entries[question]?.page, known.isLater(than: page) { return }
            state.remove(question)
            if state.bytes + page.bytes > maxBytes { state.sweep(at: now) }
            guard state.bytes + page.bytes <= maxBytes else { return }
            state.entries[question] = PagesState.Entry(page: page, lastUse: now)
            state.bytes += page.bytes
        }
    }

    /// Records that a page was still valid at a moment. Does nothing if another page has replaced
    /// it, because that page was not checked.
    func note(_ page: CachedPage, for question: PageQuestion, holdsAt moment: EnvironmentMoment) {
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
        var page: CachedPage
        var lastUse: Instant
    }

    var entries: [PageQuestion: Entry] = [:]
    var bytes = 0
    /// The questions asked once, in two generations. When `asked` is full, it becomes
    /// `askedBefore`.
    var asked: Set<PageQuestion> = []
    var askedBefore: Set<PageQuestion> = []
    /// The time of the last search for unused pages.
    var lastSweep: Instant?

    mutating func remove(_ question: PageQuestion) {
        bytes -= entries.removeValue(forKey: question)?.page.bytes ?? 0
    }

    /// Removes pages that were not used for `idleSeconds`. It visits all pages, so it runs at most
    /// every `sweepSeconds`.
    mutating func sweep(at now: Instant) {
        let isEarly = lastSweep.map { now < $0.adding(seconds: PageCache.sweepSeconds) } ?? false
        guard !isEarly else { return }
        lastSweep = now
        let oldest = now.adding(seconds: -PageCache.idleSeconds)
        entries = entries.filter { $0.value.lastUse >= oldest }
        bytes = entries.values.reduce(0) { $0 + $1.page.bytes }
    }
}

/// All inputs that determine a page, other than the data. The page is full, and more records follow
/// it.
struct PageQuestion: Hashable, Sendable {
    let viewer: Viewer
    /// The name of the encoder.
    let encoder: String
    let after: Int64
    let limit: Int
    /// See `PageRequest`.
    let skipsDeleted: Bool
}

struct CachedPage: Sendable {
    let records: EncodedRecords
    let span: RecordSpan
    /// The number of records in the span, including those left out of the page.
    let scanned: Int
    /// A client whose copy is older than this sequence may need more records.
    let heldSince: Int64
    /// The last moment at which the page was known to be valid.
    var moment: EnvironmentMoment

    /// The approximate memory use, including the overhead of an entry.
    fileprivate var bytes: Int { records.bytes.count + 1024 }

    fileprivate func isLater(than other: CachedPage) -> Bool {
        moment.deployment == other.moment.deployment
            && moment.sequence > other.moment.sequence
    }
}
