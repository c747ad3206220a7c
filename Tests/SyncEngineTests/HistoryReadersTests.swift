import Synchronization
import Testing

@testable import SyncEngine

@Suite("Few pushes at once keep long histories")
struct HistoryReadersTests {
    /// Each begins when one before has ended, and users take turns.
    @Test func furtherReadersWaitForTheirTurn() async throws {
        let readers = HistoryReaders(turns: 1, maxWaiting: 9)
        let order = Order()
        var first: HistoryReaders.Turn? = try await readers.turn(for: "a")
        var tasks: [Task<Void, any Error>] = []
        for login in ["a", "a", "b"] {
            let task = Task {
                let turn = try await readers.turn(for: login)
                order.add(login)
                withExtendedLifetime(turn) {}
            }
            tasks.append(task)
            while readers.waiting < tasks.count { await Task.yield() }
        }
        #expect(order.logins.isEmpty)
        withExtendedLifetime(first) {}
        first = nil
        for task in tasks { try await task.value }
        #expect(order.logins == ["a", "b", "a"])
        _ = try await readers.turn(for: "c")
    }

    @Test func oneUserHasAtMostHalfOfThePlaces() async throws {
        let readers = HistoryReaders(turns: 4, maxWaiting: 9)
        var turns = [try await readers.turn(for: "a"), try await readers.turn(for: "a")]
        let third = Task { try await readers.turn(for: "a") }
        while readers.waiting == 0 { await Task.yield() }
        let other = try await readers.turn(for: "b")
        #expect(readers.waiting == 1)
        turns.removeLast()
        let last = try await third.value
        #expect(readers.waiting == 0)
        withExtendedLifetime((turns, other, last)) {}
    }

    @Test func readerBeyondThoseThatWaitIsTurnedAway() async throws {
        let readers = HistoryReaders(turns: 1, maxWaiting: 0)
        let first = try await readers.turn(for: "a")
        await #expect(throws: StoreError.busy) { _ = try await readers.turn(for: "b") }
        withExtendedLifetime(first) {}
    }

    @Test func cancelledReaderWaitsNoLonger() async throws {
        let readers = HistoryReaders(turns: 1, maxWaiting: 9)
        let first = try await readers.turn(for: "a")
        let task = Task { _ = try await readers.turn(for: "b") }
        while readers.waiting == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: StoreError.cancelled) { try await task.value }
        #expect(readers.waiting == 0)
        withExtendedLifetime(first) {}
    }
}

/// The logins of those that have read, in their order.
private final class Order: Sendable {
    private let all = Mutex<[String]>([])

    var logins: [String] { all.withLock { $0 } }

    func add(_ login: String) { all.withLock { $0.append(login) } }
}
