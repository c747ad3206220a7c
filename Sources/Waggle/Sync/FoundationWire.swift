import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Used on Apple's platforms. It is built on Linux too, for the tests.
final class FoundationWire: Transport {
    private let server: URL
    private let session: URLSession

    init(server: URL) {
        self.server = server
        let configuration = URLSessionConfiguration.ephemeral
        // The cache ignores the query, and answers are never the same.
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

/// Follows no redirect, so that a token goes to no other server.
private final class Redirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
