import Synchronization
import Testing

@testable import SyncEngine

@Suite("Few pushes at once keep long histories")
struct HistoryReadersTests {
    /// Each begins when one before has ended, and users take turns.
    @Test func furtherReadersWaitForTheirTurn() async throws {
        let readers = HistoryReaders(places: 1, maxWaiting: 9)
        let order = Order()
        var first: HistoryReaders.Place? = try await readers.place(for: "a")
        var tasks: [Task<Void, any Error>] = []
        for login in ["a", "a", "b"] {
            let task = Task {
                let place = try await readers.place(for: login)
                order.add(login)
                withExtendedLifetime(place) {}
            }
            tasks.append(task)
            while readers.waiting < tasks.count { await Task.yield() }
        }
        #expect(order.logins.isEmpty)
        withExtendedLifetime(first) {}
        first = nil
        for task in tasks { try await task.value }
        #expect(order.logins == ["a", "b", "a"])
        _ = try await readers.place(for: "c")
    }

    @Test func oneUserHasAtMostHalfOfThePlaces() async throws {
        let readers = HistoryReaders(places: 4, maxWaiting: 9)
        var places = [try await readers.place(for: "a"), try await readers.place(for: "a")]
        let third = Task { try await readers.place(for: "a") }
        while readers.waiting == 0 { await Task.yield() }
        let other = try await readers.place(for: "b")
        #expect(readers.waiting == 1)
        places.removeLast()
        let last = try await third.value
        #expect(readers.waiting == 0)
        withExtendedLifetime((places, other, last)) {}
    }

    @Test func readerBeyondThoseThatWaitIsTurnedAway() async throws {
        let readers = HistoryReaders(places: 1, maxWaiting: 0)
        let first = try await readers.place(for: "a")
        await #expect(throws: StoreError.busy) { _ = try await readers.place(for: "b") }
        withExtendedLifetime(first) {}
    }

    @Test func cancelledReaderWaitsNoLonger() async throws {
        let readers = HistoryReaders(places: 1, maxWaiting: 9)
        let first = try await readers.place(for: "a")
        let task = Task { _ = try await readers.place(for: "b") }
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
