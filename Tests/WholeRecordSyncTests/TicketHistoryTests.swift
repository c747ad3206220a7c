import AccessPolicy
import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import TestKit
import Testing
import UserAccounts

@testable import SyncEngine

/// Random edits of few records by clients without revisions, some of them while a download arrives,
/// with occasional losses of answers, beside a client with revisions.
@Suite("Clients without revisions lose nothing, and do nothing twice")
struct TicketHistoryTests {
    /// The last seeds once found errors that the others did not.
    @Test(
        arguments: (Array(UInt64(0)..<40) + [205, 244]).map {
            ($0, ConflictMode.allCases[Int($0 % 4)])
        })
    func everyValueSentIsThereOnce(seed: UInt64, mode: ConflictMode) async throws {
        var story = try await TicketStory(seed: seed, mode: mode)
        for step in 0..<80 { try await story.play(step) }
        try await story.end()
        #expect(try await story.values() == story.sent)
        try await story.compareWithFreshClients()
    }
}

private struct TicketStory {
    let bench: TestBench
    var clients: [OldClient]
    var random: SplitMix64
    /// Titles that were pushed at least once.
    var sent: [String] = []
    private let numbers = 1...4

    init(seed: UInt64, mode: ConflictMode) async throws {
        var limits = Limits()
        limits.openConflicts = 200
        bench = try await TestBench(Documents.notes(mode), limits: limits)
        for login in ["a", "b"] {
            _ = try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        }
        clients = [
            OldClient(bench.person("a")), OldClient(bench.person("b")),
            OldClient(bench.person("b", device: "b-tablet")),
        ]
        random = SplitMix64(seed: seed)
        for number in numbers { clients[0].add(number, ["title": .string("start-\(number)")]) }
        try await sync(0)
    }

    mutating func play(_ step: Int) async throws {
        let index = random.number(in: 0..<clients.count)
        switch random.number(in: 0..<10) {
        case 0..<6: edit(step, by: index).apply(to: &clients[index])
        case 6: try await push(step)
        default:
            let meanwhile = random.flip() ? edit(step, by: index) : nil
            try await sync(
                index, losing: random.one(of: OldClient.Loss.allCases) ?? .nothing,
                meanwhile: meanwhile)
        }
    }

    private mutating func edit(_ step: Int, by index: Int) -> OldEdit {
        let number = random.number(in: numbers)
        return random.number(in: 0..<20) == 0
            ? .removal(of: number)
            : .title("\(step)-\(index)", of: number, resolving: random.flip())
    }

    /// A client with revisions that has just pulled.
    private mutating func push(_ step: Int) async throws {
        let number = random.number(in: numbers)
        let person = bench.person("a", device: "native")
        guard let record = try await person.record(guid(number)), !record.deleted else { return }
        let title = "\(step)-native"
        let outcomes = try await person.push(
            update(number, id: title, base: record.revision, ["title": .string(title)]))
        #expect(outcomes.map(\.outcome) == [.accepted])
        sent.append(title)
    }

    private mutating func sync(
        _ index: Int, losing loss: OldClient.Loss = .nothing, meanwhile: OldEdit? = nil
    ) async throws {
        let before = clients[index].records.values.filter { $0.isModified && !$0.isDeleted }
        for case .string(let title)? in before.map({ $0.fields["title"] })
        where !sent.contains(title) {
            sent.append(title)
        }
        let outcomes = try await clients[index].sync(losing: loss) { meanwhile?.apply(to: &$0) }
        #expect(outcomes.allSatisfy { $0.kind != .refused }, "\(outcomes)")
    }

    mutating func end() async throws {
        for _ in 0..<2 {
            for index in clients.indices { try await sync(index) }
        }
        sent.sort()
    }

    /// Every title that a record had or that a client wanted.
    func values() async throws -> [String] {
        var values: [JSONValue?] = []
        for number in numbers {
            let stored = try #require(try await bench.stored(guid(number)))
            var next = try JSONText.fields(stored.fieldsText)["title"]
            for entry in try await bench.history(of: guid(number)).reversed() {
                let fields = try JSONText.fields(entry.fieldsText)
                switch entry.kind {
                case .created: values.append(next)
                case .conflicted, .discarded: values.append(fields["title"])
                case .updated, .deleted, .resolved:
                    guard let replaced = fields["title"] else { continue }
                    values.append(next)
                    next = replaced
                case .reassigned, .filled: break
                }
            }
        }
        return values.compactMap { value in
            if case .string(let title)? = value { title } else { nil }
        }.sorted()
    }

    /// Except for conflicts on the device that made them.
    func compareWithFreshClients() async throws {
        for client in clients {
            let login = client.person.asker.login
            var fresh = OldClient(bench.person(login, device: "fresh"))
            try await fresh.sync(startingOver: true)
            #expect(client.records.keys.sorted() == fresh.records.keys.sorted())
            for (guid, record) in fresh.records {
                let held = try #require(client.records[guid])
                #expect(held.isConflicted == record.isConflicted)
                if !record.isConflicted { #expect(held == record) }
            }
        }
    }
}

/// An edit of a record by a client that may make it.
private enum OldEdit {
    case title(String, of: Int, resolving: Bool)
    case removal(of: Int)

    func apply(to client: inout OldClient) {
        switch self {
        case .title(let title, let number, let resolves):
            guard let held = client[number], !held.isDeleted else { return }
            client.set(
                number, ["title": .string(title)], resolves: held.isConflicted && resolves)
        case .removal(let number):
            guard client[number] != nil else { return }
            client.remove(number)
        }
    }
}
