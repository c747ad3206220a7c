import ChangeRules
import SyncEngine

/// The fates of the rows of one transaction. The fate of a row is also that of the rows which refer
/// to its record.
struct RowFates {
    enum Fate: Int {
        case taken, waiting, refused
    }

    /// The places of the rows, by the ids of their first changes.
    private let places: [String: Int]
    /// The places of the rows that the engine refused for want of the record of another, by its
    /// place.
    private var dependants: [Int: [Int]] = [:]
    private var fates: [Fate]

    init(_ rows: [PlannedRow], causes: [[Cause]]) {
        places = Dictionary(
            zip(rows.map(\.change.id), rows.indices), uniquingKeysWith: { first, _ in first })
        fates = rows.map { _ in .taken }
        for place in rows.indices {
            for needed in causes[place].compactMap(needed(by:)) {
                dependants[needed, default: []].append(place)
            }
        }
    }

    subscript(place: Int) -> Fate { fates[place] }

    /// The place of the row whose record is missing; nil for any other cause.
    func needed(by cause: Cause) -> Int? {
        guard case .change(.dependsOnRefused(let id)) = cause.reason else { return nil }
        return places[id]
    }

    /// Gives a worse fate to a row, and to those that need its record.
    mutating func worsen(_ place: Int, to fate: Fate) {
        var open = [place]
        while let next = open.popLast() {
            guard fates[next].rawValue < fate.rawValue else { continue }
            fates[next] = fate
            open += dependants[next] ?? []
        }
    }
}
