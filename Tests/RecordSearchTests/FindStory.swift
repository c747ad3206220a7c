import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import TestKit
import Testing

/// Random boxes and things of several users under random rights, in one or two benches. Two benches
/// differ only in data that the reader may not see.
struct FindStory {
    private(set) var random: RandomThings
    let benches: [TestBench]
    let rights: RandomRights
    /// The user who sees no difference.
    let reader: Int
    /// In the order of creation, which differs from the order of guids; without those in some
    /// benches only.
    private(set) var things: [Int] = []
    /// All codes that things have had in any bench.
    private(set) var codes: [JSONValue] = []
    private var changes = 0

    static let people = [("a", "users"), ("b", "users"), ("c", "guests"), ("d", "guests")]

    init(seed: UInt64, benches count: Int, limits: Limits = Limits()) async throws {
        random = RandomThings(seed: seed)
        rights = RandomRights(using: &random.random)
        reader = random.random.number(in: 0..<Self.people.count)
        var benches: [TestBench] = []
        for _ in 0..<count { benches.append(try await TestBench(rights.document, limits: limits)) }
        self.benches = benches
        for box in RandomThings.boxes { try await make(box, "Box") }
        for thing in RandomThings.numbers.shuffled(using: &random.random) {
            things.append(thing)
            try await make(thing, "Thing")
        }
        if count > 1 { try await makeWhatNobodySees() }
        for _ in 0..<4 { try await dispute() }
    }

    func person(_ index: Int, in bench: TestBench) -> Person {
        bench.person(Self.people[index].0, group: Self.people[index].1)
    }

    func isHidden(_ field: String, of model: String, owner: Int) -> Bool {
        !rights.shows(
            field, of: model, of: person(owner, in: benches[0]), to: person(reader, in: benches[0]))
    }

    /// A record refers only to itself and to existing records, so nothing is refused.
    private mutating func make(_ number: Int, _ model: String) async throws {
        let owner = random.random.number(in: 0..<Self.people.count)
        let first = fields(of: model, number: number)
        for (index, bench) in benches.enumerated() {
            var fields = first
            if index > 0 {
                let others = self.fields(of: model, number: number)
                for name in others.keys where isHidden(name, of: model, owner: owner) {
                    fields[name] = others[name]
                }
            }
            if let code = fields["code"], code != .null { codes.append(code) }
            try await push(create(number, model: model, fields), by: owner, to: bench)
        }
    }

    private mutating func fields(of model: String, number: Int) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for field in Documents.thingFields.first(where: { $0.model == model })?.fields ?? [] {
            let isNull = random.random.number(in: 0..<4) == 0
            fields[field.name] = isNull ? .null : reference(field, from: number)
        }
        return fields
    }

    private mutating func reference(
        _ field: Documents.ThingField, from number: Int
    ) -> JSONValue {
        guard let model = field.options["model"] else { return random.value(of: field) }
        let boxes = RandomThings.boxes.filter { number < 100 || $0 <= number }
        return .string(guid(random.random.one(of: model == "Box" ? boxes : things) ?? number))
    }

    /// Records that the reader may not see, in all benches but the first.
    private mutating func makeWhatNobodySees() async throws {
        for number in 20..<26 {
            let owner = random.random.number(in: 0..<Self.people.count)
            let isSeen = rights.shows(
                "Thing", of: person(owner, in: benches[0]), to: person(reader, in: benches[0]))
            guard !isSeen else { continue }
            for bench in benches.dropFirst() {
                var fields = fields(of: "Thing", number: number)
                if fields["follows"] != .null { fields["follows"] = .string(guid(number)) }
                try await push(create(number, model: "Thing", fields), by: owner, to: bench)
            }
        }
    }

    /// Changes or deletes a thing, then pushes a stale change of it.
    private mutating func dispute() async throws {
        let number = random.random.one(of: RandomThings.numbers) ?? 1
        let isDeletion = random.random.flip()
        let isDisputed = random.random.flip()
        changes += 1
        let secret = "secret \(changes)"
        for (index, bench) in benches.enumerated() {
            guard let stored = try await bench.stored(guid(number)), !stored.isDeleted else {
                continue
            }
            let base = stored.revision
            let owner = Self.people.firstIndex { $0.0 == stored.owner } ?? 0
            try await push(
                isDeletion
                    ? delete(number, id: "d\(changes)", base: base, model: "Thing")
                    : update(
                        number, id: "u\(changes)", base: base, model: "Thing",
                        ["name": .string("name \(changes)")]), by: owner, to: bench)
            guard isDisputed else { continue }
            let differs = index > 0 && isHidden("secret", of: "Thing", owner: owner)
            try await push(
                update(
                    number, id: "s\(changes)", base: base, model: "Thing",
                    ["secret": .string(differs ? "another \(secret)" : secret)]),
                by: (owner + 1) % Self.people.count, to: bench)
        }
    }

    private func push(
        _ change: ChangeMessage, by index: Int, to bench: TestBench
    ) async throws {
        var change = change
        change.fields = change.fields.mapValues { ownFile($0, of: index) }
        let outcome = try #require(try await person(index, in: bench).push(change).first)
        try #require(outcome.outcome != .refused, "\(outcome)")
    }

    /// Files of other users may not be named.
    private func ownFile(_ value: JSONValue, of index: Int) -> JSONValue {
        guard case .object(var file) = value, case .string(let name) = file["guid"] else {
            return value
        }
        file["guid"] = .string("\(index)" + name.dropFirst())
        return .object(file)
    }

    // MARK: - Questions

    mutating func filter() -> JSONValue? {
        random.random.number(in: 0..<8) == 0 ? nil : random.filter(codes: codes)
    }

    mutating func sort() -> String { random.sort() }

    mutating func number(in range: ClosedRange<Int>) -> Int { random.random.number(in: range) }

    mutating func flip() -> Bool { random.random.flip() }
}
