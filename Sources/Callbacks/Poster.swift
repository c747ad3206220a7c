import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What became of a request.
enum Posted: Hashable, Sendable {
    case status(Int)
    /// With the number of the URL loading system's error. Its words may name the URL.
    case nothing(code: Int)
}

/// Sends JSON, and looks at nothing of the answer but its status.
final class Poster: Sendable {
    private let answers = Answers()
    private let session: URLSession

    /// At most so many connections to one host.
    init(timeoutSeconds: Double, connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.timeoutIntervalForRequest = timeoutSeconds
        configuration.timeoutIntervalForResource = timeoutSeconds
        session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func post(_ body: String, to url: URL) async -> Posted {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let task = session.dataTask(with: request)
        answers.open(task)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answers.expect(task, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// Who waits for which answer.
private final class Answers: NSObject, URLSessionDataDelegate {
    private enum Call: Sendable {
        case open
        case awaited(CheckedContinuation<Posted, Never>)
        /// Before anybody has waited for it.
        case settled(Posted)
    }

    /// By the task's identifier.
    private let calls = Mutex<[Int: Call]>([:])

    func open(_ task: URLSessionTask) {
        calls.withLock { $0[task.taskIdentifier] = .open }
    }

    func expect(
        _ task: URLSessionTask, _ continuation: CheckedContinuation<Posted, Never>
    ) {
        let settled = calls.withLock { calls -> Posted? in
            guard case .settled(let posted) = calls[task.taskIdentifier] else {
                calls[task.taskIdentifier] = .awaited(continuation)
                return nil
            }
            calls[task.taskIdentifier] = nil
            return posted
        }
        if let settled { continuation.resume(returning: settled) }
    }

    /// The first word counts.
    private func settle(_ task: URLSessionTask, _ posted: Posted) {
        let waiting = calls.withLock { calls -> CheckedContinuation<Posted, Never>? in
            switch calls[task.taskIdentifier] {
            case .open?: calls[task.taskIdentifier] = .settled(posted)
            case .awaited(let continuation)?:
                calls[task.taskIdentifier] = nil
                return continuation
            case .settled?, nil: break
            }
            return nil
        }
        waiting?.resume(returning: posted)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        settle(task, .status(response.statusCode))
        completionHandler(nil)
    }

    /// The body is not read, however much of it there would be.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            settle(dataTask, .status(response.statusCode))
        }
        completionHandler(.cancel)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        settle(task, .nothing(code: (error as? URLError)?.code.rawValue ?? 0))
    }
}
