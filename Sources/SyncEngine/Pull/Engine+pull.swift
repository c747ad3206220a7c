import AccessPolicy
package import ChangeRules
import DefinitionModel
import JSON

/// The result of a pull.
package enum PullResult: Sendable {
    case pulled(PulledRecords)
    /// Tombstones up to this sequence, which the client needed, were purged during the pull.
    case purged(purgeHorizon: Int64)
}

/// The contents of the answer to a pull.
package struct PulledRecords: Sendable {
    private var shown = ShownRecords()
    /// The same records, if they were encoded.
    private var encoded: EncodedRecords?
    /// Records that the client holds but may no longer see.
    package private(set) var dropped: [RecordKey] = []
    /// The position after these records.
    package fileprivate(set) var cursor: Cursor
    /// Whether the next pull finds more.
    package private(set) var hasMore = true
    private(set) var scanned = 0
    /// The size of everything that was read.
    private(set) var readBytes = 0
    /// Nil if it is not known how many of the scanned records come before the position.
    private(set) var spanCount: Int? = 0
    /// The size of what is shown if it is measured, otherwise of all that was read.
    private var bytes = 0
    private var isMeasured = false
    /// Whether what is shown has reached a limit.
    private(set) var isFull = false
    /// How many records the answer is to have.
    private let wanted: Int
    /// By guid of a record, the devices that made the changes in its conflicts, by the revisions of
    /// these.
    private var disputes: [String: [Int64: DeviceKey]] = [:]
    /// The sequence before these records.
    private let startSequence: Int64
    /// The client holds nothing, so it is told of no deletion.
    private let isFirst: Bool

    fileprivate init(_ wanted: Int, from cursor: Cursor) {
        self.wanted = wanted
        self.cursor = cursor
        startSequence = cursor.position
        isFirst = cursor.isBlank
    }

    fileprivate init(_ page: CachedPage, _ wanted: Int, from cursor: Cursor) {
        self.init(wanted, from: cursor)
        self.cursor.position = page.span.through
        encoded = page.records
    }

    var records: AnswerRecords { encoded.map(AnswerRecords.encoded) ?? .shown(shown) }

    /// The records of a pull that caches no page, so that they are not encoded.
    package func views() throws(StoreError) -> [RecordView] { try shown.views() }

    var count: Int { records.count + dropped.count }

    fileprivate var nextLimit: Int { nextPageLimit(wanted: wanted, found: count, scanned: scanned) }

    /// Whether a viewer with the same rights gets the same answer while the records do not change.
    fileprivate var canBeKept: Bool { hasMore && dropped.isEmpty && spanCount != nil }

    fileprivate mutating func encode(
        by encoder: any RecordEncoder
    ) throws(StoreError) -> EncodedRecords {
        let records = try EncodedRecords(shown, by: encoder)
        encoded = records
        return records
    }

    /// Returns the revisions of the open conflicts of a record that contain changes of a device.
    package func disputes(of guid: String, by device: DeviceKey) -> Set<Int64> {
        Set((disputes[guid] ?? [:]).filter { $0.value == device }.keys)
    }

    /// Adds a page, up to the record that makes the answer full. The pages of an answer are read at
    /// different moments; the last state of a record replaces earlier ones.
    ///
    /// An answer ends by the size of what is shown: where it ends would otherwise tell the size of
    /// hidden values. That size is measured only once all that was read reaches the limit.
    fileprivate mutating func add(
        _ page: Page, through filter: PullFilter, maxBytes: Int
    ) throws(StoreError) {
        let before = bytes
        if isMeasured || bytes + page.bytes >= maxBytes {
            if !isMeasured { bytes = try shown.storedBytes() }
            isMeasured = true
        }
        let end = try addRecords(of: page, through: filter, maxBytes: maxBytes)
        for (guid, conflicts) in page.conflicts {
            disputes[guid] = Dictionary(
                conflicts.map { ($0.revision, $0.device) }, uniquingKeysWith: { first, _ in first })
        }
        isFull = end != nil
        if let end, page.content.rows[end].lastChanged < page.lastScanned {
            cursor.position = page.content.rows[end].lastChanged
            hasMore = true
            spanCount = page.scanned == page.content.count ? scanned + end + 1 : nil
        } else {
            cursor.position = page.lastSequence
            hasMore = page.hasMore
            spanCount = scanned + page.scanned
        }
        scanned += page.scanned
        readBytes += page.bytes
        guard isMeasured else {
            bytes += page.bytes
            return
        }
        if page.bytes > 2 * (bytes - before), shown.showsCurrentPage {
            try shown.compactLastPage()
        }
    }

    /// Returns the index of the record that makes the answer full.
    private mutating func addRecords(
        of page: Page, through filter: PullFilter, maxBytes: Int
    ) throws(StoreError) -> Int? {
        shown.begin(page.content)
        var names: PageRecords.Names?
        var fields: FieldSelection?
        for place in 0..<page.content.count {
            let row = page.content.rows[place]
            // The visible fields depend only on the model and the ownership.
            if row.names != names {
                names = row.names
                fields = filter.fields(of: row.names, in: page.content)
                if let fields { shown.begin(fields) }
            }
            if filter.holdsTheSame(of: page.content, at: place, cursor) { continue }
            if isFirst, row.isDeleted, !row.isConflicted {
                shown.removeAll(of: page.content.guid(at: place))
            } else if let fields {
                try show(place, of: page, fields, through: filter.readFilter)
                if isMeasured { bytes += try shown.storedBytes(ofRecordAt: shown.count - 1) }
                if isMeasured && bytes >= maxBytes { return place }
            } else if filter.wasSeen(page.content, at: place, until: cursor) {
                drop(place, of: page.content, through: filter)
            }
            if count >= wanted { return place }
        }
        return nil
    }

    private mutating func show(
        _ place: Int, of page: Page, _ fields: FieldSelection, through readFilter: ReadFilter
    ) throws(StoreError) {
        let isConflicted = page.content.rows[place].isConflicted
        if !dropped.isEmpty || isConflicted {
            let guid = page.content.guid(at: place)
            dropped.removeAll { $0.guid == guid }
            let open = page.conflicts[guid] ?? []
            shown.show(
                place, conflicts: isConflicted ? try readFilter.views(open, showing: fields) : nil)
        } else {
            shown.show(place, conflicts: nil)
        }
    }

    /// A record that was visible only after the answer began is not told: which of its pages it
    /// would have been on depends on hidden values.
    private mutating func drop(_ place: Int, of page: PageRecords, through filter: PullFilter) {
        let key = RecordKey(
            model: page.text(at: page.rows[place].names.model), guid: page.guid(at: place))
        shown.removeAll(of: key.guid)
        var start = cursor
        start.position = startSequence
        if filter.wasSeen(page, at: place, until: start) { dropped.append(key) }
    }
}

extension Engine {
    /// Pulls as many records as fit into one answer of the default size. No page is cached.
    package func pull(
        from start: PullPosition, to caller: Caller
    ) async throws(SyncError) -> PullResult {
        try await pull(from: start, to: caller, limit: nil, keeping: nil)
    }

    /// Reads pages until the answer is full, nothing is left, or a limit on what is read is met.
    /// Hidden fields of visible records count by their size, which matters from many megabytes on;
    /// hidden records do not. An asker who may see little gets short answers with `hasMore` instead
    /// of a long wait.
    ///
    /// With `keeping`, the page may come from the cache and may be added to it. Pass nil after a
    /// push: the cache works with the moment at which the caller was identified, which is before
    /// the push.
    func pull(
        from start: PullPosition, to caller: Caller, limit: Int?, beginningWith first: Page? = nil,
        keeping: PageKeeping?
    ) async throws(SyncError) -> PullResult {
        let filter = PullFilter(
            readFilter: ReadFilter(rules: readRules, asker: caller.asker),
            previousPolicy: start.previousPolicy)
        let wanted = limit ?? limits.defaultPageRecords
        let readable = filter.readFilter.readable
        let asking = keeping.flatMap {
            self.asking(from: start, through: filter.readFilter, caller, limit: wanted, $0)
        }
        if let asking {
            let page = try await cachedPage(for: asking)
            observer?.askedForPage(isCached: page != nil)
            if let page { return .pulled(PulledRecords(page, wanted, from: start.cursor)) }
        }
        var (pulled, first) = (PulledRecords(wanted, from: start.cursor), first)
        while pulled.hasMore, !pulled.isFull, pulled.scanned < limits.scannedRecords,
            pulled.readBytes < limits.scannedBytes
        {
            guard !Task.isCancelled else { throw .store(.cancelled) }
            var request = request(after: pulled, from: start)
            request.readable = readable
            let page = if let first { first } else { try await self.page(request) }
            first = nil
            guard page.purgeHorizon <= pulled.cursor.needsTombstonesAfter else {
                return .purged(purgeHorizon: page.purgeHorizon)
            }
            do {
                try pulled.add(page, through: filter, maxBytes: limits.pageBytes)
            } catch {
                throw .store(error)
            }
        }
        if !pulled.hasMore { pulled.cursor.phase = .following(since: pulled.cursor.position) }
        if let asking { try keep(&pulled, for: asking) }
        return .pulled(pulled)
    }

    /// The first request for a page of a pull.
    func firstRequest(from start: PullPosition, limit: Int?) -> PageRequest {
        let wanted = limit ?? limits.defaultPageRecords
        return request(after: PulledRecords(wanted, from: start.cursor), from: start)
    }

    private func request(
        after pulled: PulledRecords, from start: PullPosition
    ) -> PageRequest {
        // Deleted records may be skipped only while nothing was sent, because a record that was
        // sent may be deleted afterwards.
        let isBlank = start.cursor.isBlank && pulled.records.count == 0
        return PageRequest(
            environment: environment, afterSequence: pulled.cursor.position,
            limit: pulled.nextLimit, maxScanned: limits.scannedRecords - pulled.scanned,
            maxBytes: limits.pageBytes, skipsDeleted: isBlank,
            knownSequence: pulled.cursor.heldSince)
    }

    private func page(_ request: PageRequest) async throws(SyncError) -> Page {
        let page = try await readingInTurn { () async throws(StoreError) in
            try await store.page(request)
        }
        try checkIsCurrent(page.fingerprint)
        return page
    }
}

// MARK: - The page cache

/// The parameters for caching a page of a pull.
struct PageKeeping {
    let encoder: any RecordEncoder
    let now: Instant
}

/// A pull whose page may be cached.
private struct Asking {
    let question: PageQuestion
    let cursor: Cursor
    /// The state of the environment before anything was read.
    let moment: EnvironmentMoment
    let keeping: PageKeeping
}

extension Engine {
    /// Returns nil if no page may be cached. Each change moves one record to the end of the order,
    /// so if there are no more changes than the limit, the page is the last one. Last pages are not
    /// cached.
    private func asking(
        from start: PullPosition, through readFilter: ReadFilter, _ caller: Caller, limit: Int,
        _ keeping: PageKeeping
    ) -> Asking? {
        let cursor = start.cursor
        guard kept.isEnabled, start.previousPolicy == nil,
            caller.moment.sequence - cursor.position > limit
        else { return nil }
        let question = PageQuestion(
            viewer: readFilter.viewer, encoder: keeping.encoder.name, after: cursor.position,
            limit: limit, skipsDeleted: cursor.isBlank)
        return Asking(question: question, cursor: cursor, moment: caller.moment, keeping: keeping)
    }

    /// Returns the cached page if it is still correct. Counts the records in its span if the
    /// environment has changed.
    private func cachedPage(for asking: Asking) async throws(SyncError) -> CachedPage? {
        guard let page = kept.page(for: asking.question, at: asking.keeping.now),
            page.heldSince <= asking.cursor.heldSince
        else { return nil }
        // A resync after a purge may start at a later sequence than the caller's moment. The page
        // then has to be checked.
        if page.moment == asking.moment, asking.cursor.heldSince <= asking.moment.sequence {
            return page
        }
        let count = try await reading { () async throws(StoreError) in
            try await store.count(page.span)
        }
        guard count.moment.deployment == page.moment.deployment, count.records == page.scanned
        else {
            kept.remove(asking.question)
            return nil
        }
        guard count.moment.purgeHorizon <= asking.cursor.needsTombstonesAfter else { return nil }
        kept.note(page, for: asking.question, holdsAt: count.moment)
        return page
    }

    /// Caches the page. The caller's moment is from before the reads, so the cached page holds as
    /// long as the environment is at that moment.
    private func keep(_ pulled: inout PulledRecords, for asking: Asking) throws(SyncError) {
        guard pulled.canBeKept, let scanned = pulled.spanCount, kept.wasAsked(asking.question)
        else { return }
        do {
            let span = RecordSpan(
                environment: environment, after: asking.cursor.position,
                through: pulled.cursor.position)
            let page = CachedPage(
                records: try pulled.encode(by: asking.keeping.encoder), span: span,
                scanned: scanned,
                heldSince: asking.cursor.heldSince, moment: asking.moment)
            kept.keep(page, for: asking.question, at: asking.keeping.now)
        } catch {
            throw .store(error)
        }
    }
}

extension Cursor {
    /// Whether the client holds no records at all.
    fileprivate var isBlank: Bool {
        switch phase {
        case .starting: position == 0
        case .following, .changing: false
        }
    }
}
