import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Also built on Linux, where only tests use it: there it is seen when it breaks.
final class FoundationWire: Transport {
    private let server: URL
    private let session: URLSession

    init(server: URL) {
        self.server = server
        let configuration = URLSessionConfiguration.ephemeral
        // It would go by the path alone, and what the server answers is never the same.
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = Double(wirePatienceSeconds)
        session = URLSession(
            configuration: configuration, delegate: Redirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer {
        var http = URLRequest(url: server.appending(path: request.path))
        http.httpMethod = request.method
        http.httpBody = request.body.map { Data($0) }
        http.allHTTPHeaderFields = request.allHeaders
        do {
            let (body, response) = try await session.data(for: http)
            guard let answer = response as? HTTPURLResponse else {
                throw WireFailure(reason: "the server did not answer in HTTP")
            }
            return WireAnswer(
                status: answer.statusCode, body: [UInt8](body), headers: answer.namedHeaders)
        } catch let failure as WireFailure {
            throw failure
        } catch {
            throw WireFailure(reason: error.localizedDescription)
        }
    }
}

extension HTTPURLResponse {
    fileprivate var namedHeaders: [String: String] {
        let headers = allHeaderFields.compactMap { name, value -> (String, String)? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name.lowercased(), value)
        }
        return Dictionary(headers, uniquingKeysWith: { first, _ in first })
    }
}

/// A redirect is an answer as any other: a token goes nowhere else.
private final class Redirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
