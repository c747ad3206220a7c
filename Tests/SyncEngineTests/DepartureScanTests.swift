import AccessPolicy
import DefinitionModel
import EngineKit
import Testing

@testable import SyncEngine

/// See also `PullByTimeTests`.
@Suite("What is known of departed records is bounded")
struct DepartureScanTests {
    private static let change = ReadPolicyChange(
        stamp: Instant(milliseconds: 0), sequence: 100_000, former: .group("chiefs"))

    private func question(_ number: Int) -> DepartureScans.Question {
        let role = Role(group: "guests", deviceCategory: "mobile")
        return DepartureScans.Question(
            asker: Asker(login: "user \(number)", group: "guests", role: role), fingerprint: "f",
            model: "Task", change: Self.change)
    }

    private func found(created: Int) -> FoundRecord {
        FoundRecord(
            record: StoredRecord(
                guid: guid(created), model: "Task", owner: "", group: "", revision: 2,
                isDeleted: false, isConflicted: false, fieldsText: "{}"),
            created: Int64(created), createdAt: Instant(milliseconds: 0),
            change: ChangePoint(sequence: 200_000, stamp: Instant(milliseconds: 0)), name: nil)
    }

    /// With 2,500 records in another order than that of their creation.
    @Test func firstDeparturesAreKept() throws {
        let all = (1...2500).map { found(created: $0 * 7 % 2503) }
        var scan = DepartureScan(of: Self.change, after: 10)
        for start in stride(from: 0, to: all.count, by: 100) {
            let looked = Array(all[start..<(start + 100)])
            scan.note(
                looked, departed: looked.filter { $0.created > 10 },
                through: 100_000 + Int64(start))
        }
        let end = try #require(scan.end)
        let expected = all.map(\.created).filter { $0 > 10 && $0 <= end }.sorted()
        #expect(scan.departures(after: 10).map(\.created) == expected)
        #expect(scan.departures(after: 500).map(\.created) == expected.filter { $0 > 500 })
        #expect(expected.count >= DepartureScan.mostKept)
        #expect([9, 10, end - 1, end].map { scan.knows(after: $0) } == [false, true, true, false])
    }

    @Test func recordThatComesBackIsNoDeparture() {
        var scan = DepartureScan(of: Self.change, after: 0)
        let both = [found(created: 1), found(created: 2)]
        scan.note(both, departed: both, through: 100_002)
        scan.note([both[0]], departed: [], through: 100_003)
        #expect(scan.departures(after: 0).map(\.created) == [2])
    }

    @Test func oneThatIsInUseMakesNoPlace() {
        let scans = DepartureScans()
        let scan = DepartureScan(of: Self.change, after: 0)
        for number in 1...DepartureScans.most { #expect(scans.keep(scan, for: question(number))) }
        #expect(!scans.keep(scan, for: question(0)))
        for _ in 0..<DepartureScans.idleUses { _ = scans.keep(scan, for: question(2)) }
        #expect(scans.keep(scan, for: question(0)))
    }

    /// A client that knows less, and a database that was restored.
    @Test(arguments: [(0, 100_005), (5, 100_001)])
    func scanThatIsOfNoUseBeginsAnew(told: Int64, last: Int64) {
        let scans = DepartureScans()
        var scan = DepartureScan(of: Self.change, after: 5)
        scan.note([], departed: [], through: 100_002)
        #expect(scans.keep(scan, for: question(1)))
        #expect(scans.scan(for: question(1), after: 5, upTo: 100_005).through == 100_002)
        let anew = scans.scan(for: question(1), after: told, upTo: last)
        #expect(anew.start == told && anew.through == Self.change.sequence)
    }
}
