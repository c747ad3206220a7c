import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Synchronization
import Testing
import WholeRecordSync

@testable import SyncEngine

/// Records that are sent again are read in their turn, few at a time, however large they are.
@Suite struct DeliveryPageTests {
    private static let textBytes = 1_000_000
    private static let text = JSONValue.string(String(repeating: "a", count: textBytes))

    private static let document = Documents.document(
        .manual,
        models: """
            <model name="Note">
              <fields>
                \(Documents.field(
                    "title", "TEXT", read: "ALL",
                    options: "<option name=\"maxLength\">\(textBytes)</option>"))
              </fields>
              \(Documents.credentials(resolving: true))
            </model>
            """)

    /// The number of records in each page, and of turns.
    private func pages(
        of numbers: ClosedRange<Int>, for person: Person
    ) async throws -> (records: [Int], turns: Int) {
        let turns = CountedTurns()
        let engine = TicketEngine(engine: person.bench.engine, store: person.bench.store)
        var records: [Int] = []
        try await engine.taking(turns).deliver(
            records: numbers.map { guid($0) }, to: try await person.caller(), naming: { _ in [] },
            taking: { records.append($0.records.count) })
        return (records, turns.count.withLock { $0 })
    }

    @Test func pageEndsByBytes() async throws {
        let person = try await TestBench(Self.document).person("a")
        for number in 1...12 {
            _ = try await person.sync([create(number, ["title": Self.text])], limit: 1)
        }
        let pages = try await pages(of: 1...12, for: person)
        // Five of them reach 4 MiB.
        #expect(pages.records == [5, 5, 2] && pages.turns == 3)
        // Guids without a record end nothing.
        #expect(try await self.pages(of: 11...30, for: person).records == [2])
    }

    /// Three conflicts of a record, with texts of both sides, reach 4 MiB.
    @Test func pageEndsByBytesOfConflicts() async throws {
        let bench = try await TestBench(Self.document)
        let a = bench.person("a")
        for number in 1...3 {
            let made = create(number, ["title": Self.text])
            let edited = update(number, id: "a-\(number)", base: 1, ["title": Self.text(of: "a")])
            _ = try await a.sync([made], limit: 1)
            _ = try await a.sync([edited], limit: 1)
            for login in ["b", "c", "d"] {
                let change = update(
                    number, id: "\(login)-\(number)", base: 1, ["title": Self.text(of: login)])
                let outcomes = try await bench.person(login).sync([change], limit: 1).outcomes
                #expect(outcomes.map(\.outcome) == [.conflicted])
            }
        }
        let pages = try await pages(of: 1...3, for: a)
        #expect(pages.records == [1, 1, 1] && pages.turns == 3)
    }

    private static func text(of login: String) -> JSONValue {
        .string(String(repeating: login, count: textBytes - 1))
    }
}

/// Counts turns that nobody has to wait for.
private final class CountedTurns: ReadTurns {
    let count = Mutex(0)

    func begin() async throws(StoreError) { count.withLock { $0 += 1 } }
    func end() {}
    func checkGoesOn() throws(StoreError) {}
}
