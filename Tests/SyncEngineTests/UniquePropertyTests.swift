import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("Random pushes: unique values stay unique")
struct UniquePropertyTests {
    @Test(arguments: seeds(40))
    func noValueIsThereTwiceAndNoneIsRefusedWithoutNeed(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let mode = ConflictMode.allCases.randomElement(using: &random) ?? .manual
        let bench = try await TestBench(Documents.parcels(mode))
        let a = bench.person("a")
        var naive = NaiveCodes()
        for number in 0..<12 {
            let batch = naive.batch(number, using: &random)
            let outcomes = try await a.sync(batch).outcomes
            let before = naive.codes
            try await naive.read(from: bench)
            let twice = Dictionary(grouping: naive.living, by: \.self).filter { $0.value.count > 1 }
            #expect(twice.isEmpty)
            #expect(try await bench.holders(of: NaiveCodes.all) == naive.holders)
            for (change, outcome) in zip(batch, outcomes)
            where outcome.causes?.contains(where: { $0.code == "notUnique" }) ?? false {
                let wanted = wanted(by: change, in: batch, before: before)
                #expect(!wanted.isDisjoint(with: naive.living), "\(change.id): \(wanted)")
            }
        }
    }

    @Test(arguments: UInt64(100)..<120)
    func severalFieldsAreEachLookedAt(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let bench = try await TestBench(Documents.parcels(.overwrite))
        let a = bench.person("a")
        var naive = NaiveCodes()
        for number in 0..<12 {
            let batch = naive.batch(number, using: &random).map { change in
                var change = change
                guard change.action != .delete else { return change }
                change.fields["weight"] = .integer(Int64.random(in: 0..<4, using: &random))
                return change
            }
            _ = try await a.sync(batch)
            try await naive.read(from: bench)
            try await bench.expectNoValueTwice()
        }
    }

    /// The value that a change sets, or that its record had before the change restores it.
    private func wanted(
        by change: ChangeMessage, in batch: [ChangeMessage], before: [String: String]
    ) -> Set<String> {
        if case .string(let code) = change.fields["code"] { return [code] }
        let given = batch.filter { $0.guid == change.guid }.compactMap { change -> String? in
            if case .string(let code) = change.fields["code"] { code } else { nil }
        }
        return Set(given + [before[change.guid]].compactMap(\.self))
    }
}

/// A naive model of unique values that sees all records.
private struct NaiveCodes {
    private static let codes = ["A", "B", "C", "D"]
    private static let guids = (1...5).map(guid)

    /// By guid, including deleted records.
    private(set) var codes: [String: String] = [:]
    private var revisions: [String: Int64] = [:]
    private var deleted: Set<String> = []

    /// All possible codes.
    static let all = Set(codes.map { UniqueValue(model: "Parcel", field: "code", text: $0) })

    var living: [String] { codes.filter { !deleted.contains($0.key) }.map(\.value) }

    var holders: [UniqueValue: String] {
        Dictionary(
            codes.filter { !deleted.contains($0.key) }.map {
                (UniqueValue(model: "Parcel", field: "code", text: $0.value), $0.key)
            }, uniquingKeysWith: { first, _ in first })
    }

    mutating func read(from bench: TestBench) async throws {
        for guid in Self.guids {
            guard let record = try await bench.stored(guid) else { continue }
            revisions[guid] = record.revision
            if record.isDeleted { deleted.insert(guid) } else { deleted.remove(guid) }
            let fields = try parseJSON(Array(record.fieldsText.utf8))
            guard case .object(let values) = fields, case .string(let code) = values["code"] else {
                codes[guid] = nil
                continue
            }
            codes[guid] = code
        }
    }

    /// Changes of few records to few values, based on current, earlier and missing revisions.
    func batch(_ number: Int, using random: inout SplitMix64) -> [ChangeMessage] {
        (0..<Int.random(in: 1...8, using: &random)).map { index in
            let guid = Self.guids.randomElement(using: &random) ?? guid(1)
            let known = revisions[guid]
            let action = known == nil ? .create : action(using: &random)
            let follows = Int.random(in: 0..<3, using: &random) == 0
            let base = known.map { Int64.random(in: max(1, $0 - 2)...$0, using: &random) }
            return ChangeMessage(
                id: "\(number)-\(index)", action: action, model: "Parcel", guid: guid,
                base: action == .create || follows ? nil : base,
                fields: action == .delete ? [:] : fields(using: &random))
        }
    }

    private func action(using random: inout SplitMix64) -> ChangeMessage.Action {
        [.update, .update, .update, .delete, .resolve].randomElement(using: &random) ?? .update
    }

    private func fields(using random: inout SplitMix64) -> [String: JSONValue] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return ["note": .string("\(Int.random(in: 0..<9, using: &random))")]
        case 1: return ["code": .null]
        default:
            return ["code": .string(Self.codes.randomElement(using: &random) ?? "A")]
        }
    }
}
