import JSON
import Simulation
import SyncProtocol

@testable import Waggle

/// A transport that hands each request to the simulated server, and waits for its response.
actor Hatch: Transport {
    /// The next event of a sync.
    enum Event: Sendable {
        case asked(AskedSync)
        /// The error, if the sync failed.
        case ended(SyncFailure?)
    }

    /// A history is deterministic only if each answer is stored before the next request.
    nonisolated let prefetchesPages = false
    private var events: [Event] = []
    private var listener: CheckedContinuation<Event, Never>?
    private var asker: CheckedContinuation<Result<WireAnswer, WireFailure>, Never>?

    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer {
        guard let token = request.token, let body = request.body else {
            throw WireFailure(reason: "nothing but syncs is played here")
        }
        do {
            let sync = try decodeMessage(SyncRequest.self, from: body)
            tell(
                .asked(
                    AskedSync(
                        token: token, request: sync,
                        version: request.headers["Waggle-Definition"] ?? "")))
        } catch {
            throw WireFailure(reason: "\(error)")
        }
        return try await withCheckedContinuation { asker = $0 }.get()
    }

    func answer(_ answer: Result<WireAnswer, WireFailure>) {
        asker?.resume(returning: answer)
        asker = nil
    }

    func tell(_ event: Event) {
        guard let listener else { return events.append(event) }
        self.listener = nil
        listener.resume(returning: event)
    }

    func next() async -> Event {
        guard events.isEmpty else { return events.removeFirst() }
        return await withCheckedContinuation { listener = $0 }
    }
}

extension WireAnswer {
    init(_ reply: SyncReply) throws {
        switch reply {
        case .response(let response):
            self.init(status: 200, body: Array(try StoredJSON.encode(response).utf8))
        case .tooLarge: try self.init(413, "bodyTooLarge")
        case .sessionEnded: try self.init(401, "tokenUnknown")
        case .roleUnknown: try self.init(403, "roleUnknown")
        }
    }

    private init(_ status: Int, _ code: String) throws {
        let message = ErrorMessage(code: code, message: "no", help: "none")
        self.init(status: status, body: Array(try StoredJSON.encode(message).utf8))
    }
}
