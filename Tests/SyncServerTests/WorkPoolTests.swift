import Foundation
import Hummingbird
import SyncServer
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// A part of these tests, because they count the threads of servers.
extension WireTests {
    @Suite("Expensive requests of a user leave threads to others", .timeLimit(.minutes(2)))
    struct WorkPoolTests {
        /// The first requests end when the last one, of another user, has been answered.
        @Test(arguments: ["compute", "search"])
        func anotherUserIsAnsweredBefore(kind: String) async throws {
            let database = try ServedDatabase()
            try await database.deploy(to: "one")
            let (entries, entered) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let wire = WorkingWire(entered: { entered.yield() }, release: release)
            try await withServer(of: database, wires: [wire]) { address in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<64 {
                        group.addTask { try await get("\(address)/work/anna/\(kind)") }
                    }
                    for await _ in entries { break }
                    #expect(try await get("\(address)/work/bert/\(kind)") == 200)
                    for _ in 0..<64 { release.signal() }
                    for try await status in group { #expect(status == 200) }
                }
            }
        }
    }
}

private func get(_ address: String) async throws -> Int {
    let url = try #require(URL(string: address))
    // A session has few connections to one host.
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let (_, response) = try await session.data(from: url)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
}

/// Work that lasts until it is released; that of `bert` ends at once.
private struct WorkingWire: Wire {
    let entered: @Sendable () -> Void
    let release: DispatchSemaphore

    func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/work")
        routes.on(.get, ":login/:kind") { [entered, release] _, context in
            let environment = try await host.environment(named: "one")
            let login = context.parameters.get("login") ?? ""
            let work: @Sendable () -> Void = {
                guard login != "bert" else { return }
                entered()
                release.wait()
            }
            if context.parameters.get("kind") == "compute" {
                try await host.work.compute(for: login, on: context, in: environment, work)
            } else {
                try await host.work.search(for: login, on: context, in: environment) {
                    await onThread(work)
                }
            }
            return Response(status: .ok)
        }
        return routes
    }
}

private func onThread(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            work()
            continuation.resume()
        }
    }
}
