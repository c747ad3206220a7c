package import AccessPolicy
import Synchronization

/// The process's knowledge of records that went out of an asker's sight with a change of rights and
/// have changed since then.
///
/// A client that knows a time hears of them in the order of their creation, in which no store has
/// them: all that has changed since must be looked at. A search looks at so many records at most,
/// and the next one for the same asker goes on from there. Few scans are kept. A search that finds
/// no place for its scan looks at all records.
package final class DepartureScans: Sendable {
    /// All that determines a scan, other than the data.
    package struct Question: Hashable, Sendable {
        package let asker: Asker
        /// That of the definition by which records are read.
        package let fingerprint: String
        package let model: String
        package let change: ReadPolicyChange

        package init(
            asker: Asker, fingerprint: String, model: String, change: ReadPolicyChange
        ) {
            self.asker = asker
            self.fingerprint = fingerprint
            self.model = model
            self.change = change
        }
    }

    private struct State {
        var scans: [Question: (scan: DepartureScan, lastUse: Int)] = [:]
        /// The number of uses so far.
        var uses = 0
    }

    static let most = 16
    /// A scan makes place for another one after so many uses of others. If it made place earlier,
    /// many askers would take it from each other, and none would get to its end.
    static let idleUses = 1000

    private let state = Mutex(State())

    package init() {}

    /// The scan for a question if it is of use to a client that was told of the records created up
    /// to a sequence, and is of a present or earlier state of the data; otherwise a new one.
    package func scan(
        for question: Question, after told: Int64, upTo last: Int64
    ) -> DepartureScan {
        let known = state.withLock { $0.scans[question]?.scan }
        guard let known, known.knows(after: told), known.through <= last else {
            return DepartureScan(of: question.change, after: told)
        }
        return known
    }

    /// Keeps a scan in place of the earlier one for the question. Returns false if there is no
    /// place.
    @discardableResult
    package func keep(_ scan: DepartureScan, for question: Question) -> Bool {
        state.withLock { state in
            state.uses += 1
            if state.scans[question] == nil, state.scans.count >= Self.most {
                guard let oldest = state.scans.min(by: { $0.value.lastUse < $1.value.lastUse }),
                    oldest.value.lastUse + Self.idleUses < state.uses
                else { return false }
                state.scans[oldest.key] = nil
            }
            state.scans[question] = (scan, state.uses)
            return true
        }
    }
}

/// The records that departed, as far as a search has looked; see `DepartureScans`.
package struct DepartureScan: Sendable {
    /// The first ones that are kept; twice as many before they are sorted.
    static let mostKept = 1000

    /// All departures of records that were created later, up to `end`, are known.
    package let start: Int64
    /// Nil if none were left out.
    package private(set) var end: Int64?
    /// All that changed up to this sequence was looked at.
    package private(set) var through: Int64
    private var departures: [String: FoundRecord] = [:]

    init(of change: ReadPolicyChange, after start: Int64) {
        self.start = start
        through = change.sequence
    }

    /// Whether the departures of records that were created later than a sequence are known.
    func knows(after created: Int64) -> Bool {
        start <= created && created < end ?? .max
    }

    /// The departures of records that were created later than a sequence, by their creation.
    package func departures(after created: Int64) -> [FoundRecord] {
        departures.values.filter { $0.created > created }.sorted { $0.created < $1.created }
    }

    /// Notes all records that changed up to a sequence, and those of them that departed. A record
    /// that has changed again counts as it is now.
    package mutating func note(
        _ looked: [FoundRecord], departed: [FoundRecord], through sequence: Int64
    ) {
        for found in looked { departures[found.record.guid] = nil }
        for found in departed where found.created <= end ?? .max {
            departures[found.record.guid] = found
        }
        through = sequence
        guard departures.count > 2 * Self.mostKept else { return }
        let first = departures(after: start).prefix(Self.mostKept)
        end = first.last?.created
        departures = Dictionary(uniqueKeysWithValues: first.map { ($0.record.guid, $0) })
    }
}
