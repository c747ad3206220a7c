import Foundation
import JSON
import Synchronization

/// A process of Chromium without a window, driven by its own protocol.
///
/// All tests share one. Each has a context of it, with cookies, a storage and a cache of its own.
final class Chromium: Sendable {
    typealias Listener = @Sendable (_ event: String, _ parameters: JSONValue) -> Void

    private struct Traffic {
        var lastNumber: Int64 = 0
        /// By the number of the call.
        var calls: [Int64: CheckedContinuation<JSONValue, any Error>] = [:]
        /// By the session of the page.
        var listeners: [String: Listener] = [:]
        /// Why the browser has ended.
        var end: (any Error)?
    }

    private let traffic = Mutex(Traffic())
    private let pipe: BrowserPipe

    /// Whether Debian's package `chromium` is here.
    static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/chromium")
        }

    /// The browser of all tests.
    static let shared = Result { try Chromium() }

    private static let switches = [
        "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-dev-shm-usage",
        "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--hide-scrollbars",
        "--lang=en", "--force-color-profile=srgb", "--disable-extensions",
        "--disable-component-update", "--disable-background-networking", "--disable-sync",
        // Pages of other tests are before this one: it goes on all the same.
        "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
        "--disable-background-timer-throttling", "--disable-ipc-flooding-protection",
    ]

    private init() throws {
        pipe = try BrowserPipe(switches: Self.switches)
        pipe.listen { [self] message in
            switch message {
            case .success(let message): receive(message)
            case .failure(let error): end(error)
            }
        }
    }

    /// Calls a function of the protocol; without a session, one of the browser itself.
    @discardableResult
    func call(
        _ method: String, _ parameters: [String: JSONValue] = [:], in session: String? = nil
    ) async throws -> JSONValue {
        let number = traffic.withLock { traffic in
            traffic.lastNumber += 1
            return traffic.lastNumber
        }
        var message: [String: JSONValue] = [
            "id": .integer(number), "method": .string(method), "params": .object(parameters),
        ]
        if let session { message["sessionId"] = .string(session) }
        let text = JSONValue.object(message).text
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let end = traffic.withLock { traffic in
                    if traffic.end == nil { traffic.calls[number] = continuation }
                    return traffic.end
                }
                if let end {
                    continuation.resume(throwing: end)
                } else if Task.isCancelled {
                    finish(number, .failure(CancellationError()))
                } else {
                    pipe.send(text)
                }
            }
        } onCancel: {
            finish(number, .failure(CancellationError()))
        }
    }

    /// Calls `listener` with every event of a page; nil ends it.
    func listen(to session: String, _ listener: Listener?) {
        traffic.withLock { $0.listeners[session] = listener }
    }

    private func receive(_ message: JSONValue) {
        if case .integer(let number)? = message.member("id") {
            if let error = message.member("error") {
                let text = error.member("message")?.string ?? error.text
                finish(number, .failure(BrowserError(message: text)))
            } else {
                finish(number, .success(message.member("result") ?? .null))
            }
        } else if let session = message.member("sessionId")?.string,
            let event = message.member("method")?.string
        {
            let listener = traffic.withLock { $0.listeners[session] }
            listener?(event, message.member("params") ?? .null)
        }
    }

    private func finish(_ number: Int64, _ result: Result<JSONValue, any Error>) {
        let call = traffic.withLock { $0.calls.removeValue(forKey: number) }
        call?.resume(with: result)
    }

    private func end(_ error: any Error) {
        let calls = traffic.withLock { traffic in
            traffic.end = error
            defer { traffic.calls = [:] }
            return Array(traffic.calls.values)
        }
        for call in calls { call.resume(throwing: error) }
    }
}

/// An error of Chromium's protocol, or of a script in a page.
struct BrowserError: Error, CustomStringConvertible {
    let message: String

    var description: String { message }

    /// Whether the page was left while a script waited in it.
    var isOfLeftPage: Bool {
        ["navigated", "context", "collected"].contains { message.contains($0) }
    }
}
