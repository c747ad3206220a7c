import AccessPolicy
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("No update is lost")
struct LostUpdateTests {
    /// Eight users set one field 20 times each, based on what they last saw.
    @Test(arguments: ConflictMode.allCases)
    func everyChangeIsAppliedOrKept(mode: ConflictMode) async throws {
        var limits = Limits()
        limits.openConflicts = 160
        let bench = try await TestBench(Documents.notes(mode), limits: limits)
        _ = try await bench.person("a").push(create(1, ["title": "start"]))
        let outcomes = try await withThrowingTaskGroup(of: [OutcomeMessage].self) { group in
            for writer in 0..<8 {
                group.addTask { try await pushes(of: bench.person("w\(writer)"), count: 20) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count == 160)
        #expect(outcomes.allSatisfy { $0.outcome != .refused })
        let revisions = outcomes.filter { $0.outcome != .discarded }.compactMap(\.revision)
        #expect(Set(revisions).count == revisions.count, "two changes made the same revision")
        #expect(revisions.max() == Int64(revisions.count) + 1)
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.revision == revisions.max())
        #expect(
            (record.conflicts?.count ?? 0) == outcomes.count { $0.outcome == .conflicted })
    }

    private func pushes(of person: Person, count: Int) async throws -> [OutcomeMessage] {
        var outcomes: [OutcomeMessage] = []
        for number in 0..<count {
            let seen = try await person.record(guid(1))?.revision
            let title = JSONValue.string("\(person.asker.login) \(number)")
            outcomes += try await person.push(
                update(1, id: "\(number)", base: seen, ["title": title]))
        }
        return outcomes
    }
}

/// The records of a device by guid.
private struct Device {
    let person: Person
    var cursor: String?
    var records: [String: RecordMessage] = [:]

    mutating func sync(_ changes: [ChangeMessage] = []) async throws -> [OutcomeMessage] {
        var outcomes: [OutcomeMessage] = []
        var changes = changes
        while true {
            let answer = try await person.sync(changes, cursor: cursor, limit: 3)
            outcomes += answer.outcomes
            if answer.resync { records = [:] }
            for record in answer.records {
                let isGone = record.deleted && !record.conflicted
                records[record.guid] = isGone ? nil : record
            }
            cursor = answer.cursor
            changes = []
            if !answer.more { return outcomes }
        }
    }
}

@Suite("After any history, an old device holds what a fresh one gets")
struct HistoryTests {
    @Test(arguments: (UInt64(0)..<24).map { ($0, ConflictMode.allCases[Int($0 % 4)]) })
    func oldAndFreshAgree(seed: UInt64, mode: ConflictMode) async throws {
        let bench = try await TestBench(Documents.notes(mode))
        var random = SplitMix64(seed: seed)
        var devices = ["a", "b", "c"].map { Device(person: bench.person($0)) }
        for step in 0..<60 {
            let index = Int.random(in: 0..<3, using: &random)
            let changes = (0..<Int.random(in: 0...3, using: &random)).map { number in
                change(id: "\(step)-\(number)", by: devices[index], using: &random)
            }
            let outcomes = try await devices[index].sync(changes)
            #expect(outcomes.count == changes.count)
            let fresh = Dictionary(
                uniqueKeysWithValues: try await devices[index].person.everything()
                    .filter { !$0.deleted || $0.conflicted }.map { ($0.guid, $0) })
            #expect(devices[index].records == fresh, "seed \(seed), step \(step)")
        }
    }

    private func change(
        id: String, by device: Device, using random: inout SplitMix64
    ) -> ChangeMessage {
        let number = Int.random(in: 0..<6, using: &random)
        let known = device.records[guid(number)]
        let score = JSONValue.integer(Int64.random(in: 0...6, using: &random))
        guard let known, Int.random(in: 0..<5, using: &random) > 0 else {
            return create(number, id: id, ["title": .string(id), "score": score])
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return delete(number, id: id, base: known.revision)
        case 1: return resolve(number, id: id, base: known.revision, ["score": score])
        case 2: return update(number, id: id, base: known.revision, ["secret": .string(id)])
        default: return update(number, id: id, base: known.revision, ["score": score])
        }
    }
}
