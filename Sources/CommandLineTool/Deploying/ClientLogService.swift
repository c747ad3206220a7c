import Administration
import Logging
import ServiceLifecycle
import SyncEngine
import SyncServer

/// Stores which clients a server has served, every ten seconds and at the end.
struct ClientLogService: Service {
    let clients: ClientLog
    let database: OpenDatabase
    let logger: Logger

    private static let interval: Duration = .seconds(10)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: Self.interval)
                } catch {
                    return
                }
                await store()
            }
        }
        await store()
    }

    private func store() async {
        for (environment, seen) in clients.take() {
            do throws(StoreError) {
                try await database.store.remember(
                    try await known(seen), in: environment, upTo: SeenClient.most)
            } catch {
                clients.forget()
                // An environment that was removed has no clients.
                guard error != .environmentGone else { continue }
                logger.error("cannot note clients", metadata: ["cause": "\(error)"])
            }
        }
    }

    /// A client of a version that the database does not have counts as one that names none.
    private func known(_ seen: [SeenClient]) async throws(StoreError) -> [SeenClient] {
        var isKnown: [String: Bool] = ["": true]
        var result: [SeenClient] = []
        for client in seen {
            if isKnown[client.fingerprint] == nil {
                isKnown[client.fingerprint] =
                    try await database.store.catalogSource(
                        withFingerprint: client.fingerprint) != nil
            }
            var known = client
            if isKnown[client.fingerprint] != true { known.fingerprint = "" }
            result.append(known)
        }
        return result
    }
}
