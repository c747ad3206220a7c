#if os(Linux)
    import Foundation
    import HTTPCalls

    struct CurlWire: Transport {
        private let server: URL
        private let caller: HTTPCaller

        /// Far more than a page of records or a chunk of a file has.
        private static let maxAnswerBytes = 256 << 20
        /// Concurrent calls: a sync, and downloads of files meanwhile.
        private static let calls = 6

        init(server: URL) {
            self.server = server
            caller = HTTPCaller(
                HTTPLimits(
                    answers: .whole(maxBytes: Self.maxAnswerBytes),
                    idleSeconds: wirePatienceSeconds, calls: Self.calls))
        }

        func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer {
            let url = server.appending(path: request.path).absoluteString
            do {
                let answer = try await caller.call(
                    HTTPCall(request.method, url, headers: request.allHeaders, body: request.body))
                return WireAnswer(
                    status: answer.status, body: answer.body, headers: answer.headers)
            } catch {
                throw WireFailure(reason: error.details)
            }
        }
    }
#endif
