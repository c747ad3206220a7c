import TestKit
import Testing

@testable import MobeelizerWire

@Suite("Records are imported after those that they belong to")
struct SendingOrderTests {
    private func records(_ targets: [[Int]]) -> [SentRecord] {
        targets.enumerated().map { number, targets in
            SentRecord(
                guid: "\(number)", targets: targets.map { "\($0)" },
                load: BatchLoad(records: 1, bytes: 10, files: 0, fileBytes: 0))
        }
    }

    private func batches(of records: [SentRecord], upTo max: Int) -> [[Int]] {
        MobeelizerWire.batches(
            of: records,
            upTo: BatchLoad(records: max, bytes: 1 << 20, files: 0, fileBytes: 0))
    }

    private static let loads: [(name: String, each: BatchLoad)] = [
        ("bytes", BatchLoad(records: 1, bytes: 40, files: 0, fileBytes: 0)),
        ("files", BatchLoad(records: 1, bytes: 1, files: 40, fileBytes: 0)),
        ("bytes of files", BatchLoad(records: 1, bytes: 1, files: 0, fileBytes: 40)),
    ]

    @Test(arguments: loads)
    func batchEndsAtItsLimits(name: String, each: BatchLoad) {
        let max = BatchLoad(records: 100, bytes: 100, files: 100, fileBytes: 100)
        var records = (0..<5).map { SentRecord(guid: "\($0)", targets: [], load: each) }
        #expect(MobeelizerWire.batches(of: records, upTo: max) == [[0, 1], [2, 3], [4]])
        let huge = BatchLoad(records: 1, bytes: 101, files: 101, fileBytes: 101)
        records[2] = SentRecord(guid: "2", targets: [], load: huge)
        #expect(MobeelizerWire.batches(of: records, upTo: max) == [[0, 1], [2], [3, 4]])
    }

    @Test func recordComesAfterItsTarget() {
        #expect(batches(of: records([[2], [0], []]), upTo: 1) == [[2], [0], [1]])
        #expect(batches(of: records([[1], [2], [], []]), upTo: 2) == [[2, 1], [0, 3]])
        #expect(batches(of: records([]), upTo: 2) == [])
    }

    @Test func circleStaysTogether() {
        #expect(batches(of: records([[], [3], [], [1], [1]]), upTo: 2) == [[0], [1, 3], [2, 4]])
        #expect(batches(of: records([[0]]), upTo: 1) == [[0]])
    }

    @Test func relationsToOtherRecordsAreIgnored() {
        #expect(batches(of: records([[9], [8, 0]]), upTo: 5) == [[0, 1]])
    }

    /// All graphs of three records.
    @Test(arguments: 0..<512)
    func noneIsMissingAndNoneTooEarly(graph: Int) {
        let targets = (0..<3).map { from in
            (0..<3).filter { to in graph & (1 << (from * 3 + to)) != 0 }
        }
        check(targets, upTo: 1)
        check(targets, upTo: 2)
        check(targets, upTo: 3)
    }

    @Test(arguments: UInt64(0)..<50)
    func manyRecordsAreOrderedToo(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = random.number(in: 1...60)
        let targets = (0..<count).map { _ in
            (0..<random.number(in: 0...2)).map { _ in random.number(in: 0..<count) }
        }
        check(targets, upTo: random.number(in: 1...20))
    }

    @Test func longChainIsNoTrouble() {
        let count = 50_000
        let chain = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
        let found = batches(of: records(chain), upTo: 1000)
        #expect(found.flatMap(\.self) == Array((0..<count).reversed()))
    }

    private func check(_ targets: [[Int]], upTo max: Int) {
        let found = batches(of: records(targets), upTo: max)
        #expect(found.allSatisfy { (1...max).contains($0.count) })
        #expect(found.flatMap(\.self).sorted() == Array(targets.indices))
        let batchOf = Dictionary(
            uniqueKeysWithValues: found.enumerated().flatMap { number, batch in
                batch.map { ($0, number) }
            })
        for (place, own) in targets.enumerated() {
            for target in own where batchOf[target] ?? 0 > batchOf[place] ?? 0 {
                // Only if a component is too large for a batch.
                #expect(reaches(place, from: target, targets))
                #expect(component(of: place, targets).count > max)
            }
        }
    }

    private func reaches(_ goal: Int, from start: Int, _ targets: [[Int]]) -> Bool {
        circleReach(start, targets).contains(goal)
    }

    private func component(of place: Int, _ targets: [[Int]]) -> Set<Int> {
        circleReach(place, targets).filter { circleReach($0, targets).contains(place) }
    }

    private func circleReach(_ start: Int, _ targets: [[Int]]) -> Set<Int> {
        var reached: Set<Int> = []
        var open = [start]
        while let place = open.popLast() {
            for target in targets[place] where reached.insert(target).inserted {
                open.append(target)
            }
        }
        return reached
    }
}
