import AccessPolicy
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing
import UserAccounts

/// Random histories of three users, five records and five files, with the files that each user has
/// seen.
@Suite("Random histories: files are visible through records only")
struct FileHistoryTests {
    @Test(arguments: ConflictMode.allCases, [UInt64(1), 2, 3])
    func everyStepKeepsInvariants(mode: ConflictMode, seed: UInt64) async throws {
        let bench = try await TestBench(Documents.files(mode))
        for login in ["a", "b"] {
            try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "")
        }
        var story = FileStory(bench: bench, random: SplitMix64(seed: seed))
        for _ in 0..<40 {
            try await story.step()
            try await story.check()
        }
        #expect(story.refusedNamings > 0 && story.downloads > 10, "it was about something")
    }
}

private struct FileStory {
    let bench: TestBench
    var random: SplitMix64
    private(set) var refusedNamings = 0
    private(set) var downloads = 0
    private let people: [Person]
    private var changes = 0
    /// The first user to name each file.
    private var owners: [Int: String] = [:]
    /// The users who may know the contents of a file: its owner, and everyone who has seen it in a
    /// record.
    private var entitled: [Int: Set<String>] = [:]

    init(bench: TestBench, random: SplitMix64) {
        self.bench = bench
        self.random = random
        people = [
            bench.person("a"), bench.person("b"), bench.person("g", group: "guests"),
        ]
    }

    mutating func step() async throws {
        let person = people[random.number(in: 0..<3)]
        let number = random.number(in: 0..<5)
        switch random.number(in: 0..<10) {
        case 0..<3: try await upload(number, by: person)
        case 3..<8: try await name(number, by: person)
        case 8: try await giveAway(random.number(in: 0..<5))
        default:
            _ = try await person.push(delete(random.number(in: 0..<5), id: nextID(), base: 1))
        }
    }

    private mutating func giveAway(_ record: Int) async throws {
        let ownership = NewOwnership(
            owner: random.flip() ? "a" : "b", group: random.flip() ? "users" : "guests")
        do {
            _ = try await bench.engine.reassign(
                guid(record), of: "Note", to: ownership,
                by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
        } catch SyncError.recordUnknown {
            // It was not created yet.
        }
    }

    private mutating func upload(_ number: Int, by person: Person) async throws {
        let answer = try await person.upload(number, "text \(number)")
        noteOwner(of: number, person)
        #expect((answer == .notYours) == (owners[number] != person.asker.login))
    }

    private mutating func noteOwner(of number: Int, _ person: Person) {
        guard owners[number] == nil else { return }
        owners[number] = person.asker.login
        entitled[number, default: []].insert(person.asker.login)
    }

    private mutating func name(_ number: Int, by person: Person) async throws {
        let record = random.number(in: 0..<5)
        let field = ["scan", "contract", "ballot"][random.number(in: 0..<3)]
        let fields: [String: JSONValue] = [field: .file(number, "name \(random.number(in: 0..<2))")]
        let stored = try await bench.stored(guid(record))
        let base = stored.map { Int64(1 + random.number(in: 0..<Int($0.revision))) }
        let change =
            base.map { update(record, id: nextID(), base: $0, fields) }
            ?? create(record, id: nextID(), fields)
        let outcome = try await person.push(change)[0]
        if outcome.outcome == .refused {
            refusedNamings += outcome.causes?.first?.code == "fileNotYours" ? 1 : 0
            return
        }
        noteOwner(of: number, person)
        #expect(entitled[number]?.contains(person.asker.login) == true, "named, and not theirs")
    }

    /// Compares the rule for downloads with all pulled records. A user who has seen a file in a
    /// record may download it from then on.
    mutating func check() async throws {
        for person in people {
            let shown = Set(try await person.everything().flatMap(filesShown))
            for number in 0..<5 {
                let answer = try await person.download(number)
                if shown.contains(file(number)) {
                    entitled[number, default: []].insert(person.asker.login)
                    #expect(answer == .text("text \(number)") || answer == .refused(.awaited))
                } else if answer != .unknown {
                    #expect(owners[number] == person.asker.login)
                }
                if case .text = answer {
                    downloads += 1
                    #expect(entitled[number]?.contains(person.asker.login) == true)
                }
            }
        }
    }

    private mutating func nextID() -> String {
        changes += 1
        return "c\(changes)"
    }
}

private func filesShown(by record: RecordMessage) -> [String] {
    let sides = (record.conflicts ?? []).flatMap { [$0.base, $0.mine, $0.theirs] }
    return ([record.fields ?? [:]] + sides.map(\.fields)).flatMap(\.values).compactMap { value in
        guard case .object(let object) = value, case .string(let guid) = object["guid"] else {
            return nil
        }
        return guid
    }
}
