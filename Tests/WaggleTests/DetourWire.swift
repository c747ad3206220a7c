import JSON
import SyncProtocol
import Synchronization

@testable import Waggle

/// A transport that may answer in place of the server.
final class DetourWire: Transport {
    typealias Detour = @Sendable (WireRequest) async throws(WireFailure) -> WireAnswer?

    private let server: EngineWire
    private let detour = Mutex<Detour?>(nil)

    init(to server: EngineWire) {
        self.server = server
    }

    /// From now on, asks the detour first; the server answers where the detour returns nil.
    func take(_ detour: @escaping Detour) { self.detour.withLock { $0 = detour } }

    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer {
        let detour = detour.withLock { $0 }
        if let answer = try await detour?(request) { return answer }
        return try await server.send(request)
    }
}

extension DetourWire {
    /// Answers the next `count` syncs that match with an error.
    func refuse(
        _ count: Int, _ status: Int, _ code: String,
        where isMeant: @escaping @Sendable (SyncRequest) -> Bool = { _ in true }
    ) {
        let left = Mutex(count)
        take { request in
            guard let sync = request.sync, isMeant(sync) else { return nil }
            let isLeft = left.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            return isLeft ? .error(status, code) : nil
        }
    }
}

extension WireRequest {
    var sync: SyncRequest? {
        guard path.hasSuffix("/sync"), let body else { return nil }
        return try? decodeMessage(SyncRequest.self, from: body)
    }
}

extension WireAnswer {
    static func error(_ status: Int, _ code: String) -> WireAnswer {
        let text = #"{"code": "\#(code)", "details": {}, "help": "none", "message": "no"}"#
        return WireAnswer(status: status, body: Array(text.utf8))
    }
}
