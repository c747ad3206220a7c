import Foundation
import SyncProtocol

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What goes over the network: a request with an answer. The real one is HTTP; tests cut it.
protocol Wire: Sendable {
    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer
}

struct WireRequest: Hashable, Sendable {
    let method: String
    /// Below the server's address, such as `v1/test/sync`.
    let path: String
    var token: String?
    var body: [UInt8]?
    var headers: [String: String] = [:]
}

struct WireAnswer: Hashable, Sendable {
    let status: Int
    let body: [UInt8]
    /// By their names in lower case.
    var headers: [String: String] = [:]

    /// In seconds, where the server says when to try again.
    var retryAfter: Int? { headers["retry-after"].flatMap { Int($0) } }
}

/// There was no answer. What was asked for may be done all the same.
struct WireFailure: Error, Hashable, Sendable {
    let reason: String
}

struct HTTPWire: Wire {
    let server: URL
    private let session: URLSession

    /// How long an answer may take to go on, in seconds.
    private static let timeoutSeconds = 60.0

    init(server: URL) {
        self.server = server
        let configuration = URLSessionConfiguration.ephemeral
        // It would go by the path alone, and what the server answers is never the same.
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = Self.timeoutSeconds
        session = URLSession(configuration: configuration)
    }

    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer {
        var http = URLRequest(url: server.appending(path: request.path))
        http.httpMethod = request.method
        http.httpBody = request.body.map { Data($0) }
        if request.body != nil {
            http.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        for (name, value) in request.headers { http.setValue(value, forHTTPHeaderField: name) }
        if let token = request.token {
            http.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
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
