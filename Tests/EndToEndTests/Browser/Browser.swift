import Foundation
import JSON
import Synchronization

/// A page in a context of its own of the shared browser.
///
/// The page itself tells when a condition holds: it looks after each change of the document. A time
/// limit ends only a test that hangs.
final class Browser: Sendable {
    private let chromium: Chromium
    private let context: String
    private let session: String
    /// Those of the console since they were asked for.
    private let told = Mutex<[String]>([])
    /// `http://127.0.0.1:PORT`, before each path.
    let origin: String

    /// In a context of its own, or as another tab of one.
    private init(origin: String, in context: String? = nil) async throws {
        self.origin = origin
        chromium = try Chromium.shared.get()
        self.context =
            if let context { context } else {
                try await chromium.call("Target.createBrowserContext").text(of: "browserContextId")
            }
        let target = try await chromium.call(
            "Target.createTarget",
            ["url": "about:blank", "browserContextId": .string(self.context)]
        ).text(of: "targetId")
        session = try await chromium.call(
            "Target.attachToTarget", ["targetId": .string(target), "flatten": .boolean(true)]
        ).text(of: "sessionId")
        chromium.listen(to: session) { [weak self] in self?.hear($0, $1) }
        for domain in ["Page", "Runtime", "Log"] { try await chrome("\(domain).enable") }
        // Only one of several windows has the focus; each page behaves as if it had it.
        try await chrome("Emulation.setFocusEmulationEnabled", ["enabled": .boolean(true)])
        try await resize(width: 1280, height: 900)
    }

    /// Runs `body` with a page, and closes it.
    static func run<Value: Sendable>(
        on server: RunningServer, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let browser = try await Browser(origin: "http://127.0.0.1:\(server.port)")
        do {
            let value = try await body(browser)
            try await browser.close()
            return value
        } catch {
            let page = try? await browser.script("return document.body.innerText")
            try? await browser.close()
            throw Unexpected("\(error)\nthe page shows: \(page?.string ?? "nothing")")
        }
    }

    /// Runs `body` with another tab of the same context, which is closed with the first.
    func withSecondTab<Value: Sendable>(
        _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let tab = try await Browser(origin: origin, in: context)
        defer { chromium.listen(to: tab.session, nil) }
        return try await body(tab)
    }

    private func close() async throws {
        chromium.listen(to: session, nil)
        try await chromium.call(
            "Target.disposeBrowserContext", ["browserContextId": .string(context)])
    }

    // MARK: The protocol

    /// Calls a function of Chromium's protocol for the page.
    @discardableResult
    func chrome(
        _ command: String, _ parameters: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        try await chromium.call(command, parameters, in: session)
    }

    /// Calls a function of the whole browser for the context of the page.
    @discardableResult
    func chromeOfContext(
        _ command: String, _ parameters: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        try await chromium.call(
            command, parameters.merging(["browserContextId": .string(context)]) { $1 })
    }

    private func hear(_ event: String, _ parameters: JSONValue) {
        let isMessage = [
            "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded",
        ].contains(event)
        let entry = parameters.member("entry")
        // Pages show responses that are errors.
        guard isMessage, entry?.member("source")?.string != "network" else { return }
        let text = entry?.member("text")?.string ?? parameters.text
        told.withLock { $0.append(text) }
    }

    /// Console messages and violations of the content security policy since the last call, without
    /// the responses that are errors.
    func messages() async throws -> [String] {
        // Events come in the order in which they happen, before the answer to this.
        try await script("return null")
        return told.withLock { told in
            defer { told = [] }
            return told
        }
    }

    // MARK: Pages

    /// In CSS pixels.
    func resize(width: Int64, height: Int64) async throws {
        try await chrome(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(width), "height": .integer(height), "deviceScaleFactor": 1,
                "mobile": .boolean(false),
            ])
    }

    /// Opens a page of the server. Returns as soon as scripts run in it.
    func open(_ path: String) async throws {
        let before = try await document()
        let answer = try await chrome("Page.navigate", ["url": .string(origin + path)])
        if let error = answer.member("errorText")?.string {
            throw Unexpected("\(path) cannot be opened: \(error)")
        }
        // Another fragment of the same page loads nothing.
        guard answer.member("loaderId") != nil else { return }
        while try await document() == before {}
    }

    /// The identifier of the present document, another one after each navigation.
    private func document() async throws -> String? {
        let tree = try await chrome("Page.getFrameTree")
        return tree.member("frameTree")?.member("frame")?.member("loaderId")?.string
    }

    /// Removes the cookies, as at the end of a session.
    func deleteCookies() async throws { try await chromeOfContext("Storage.clearCookies") }

    /// Runs the body of a function, after the functions of `pageScript`. A node that it returns is
    /// true.
    @discardableResult
    func script(_ body: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await run(body, arguments)
    }

    /// Waits until the expression is neither false nor null, and returns its value. It sees the
    /// functions of `pageScript` and `given`, the arguments. An error in it is no value yet.
    @discardableResult
    func wait(for expression: String, _ arguments: JSONValue...) async throws -> JSONValue {
        while true {
            do {
                return try await run(waitingScript(for: expression), arguments)
            } catch let error as BrowserError where error.isOfLeftPage {
                continue
            } catch {
                throw Unexpected("\(expression) \(arguments.map(\.text)): \(error)")
            }
        }
    }

    private func run(_ body: String, _ arguments: [JSONValue]) async throws -> JSONValue {
        let answer = try await chrome(
            "Runtime.evaluate",
            [
                "expression": .string(
                    """
                    (async function (...given) {
                    \(pageScript)
                    \(body)
                    })(...\(JSONValue.array(arguments).text))
                    .then((value) => value instanceof Node ? true : value)
                    """),
                "awaitPromise": .boolean(true), "returnByValue": .boolean(true),
            ])
        if let fault = answer.member("exceptionDetails") {
            let text = fault.member("exception")?.member("description")?.string ?? fault.text
            throw BrowserError(message: text)
        }
        return answer.member("result")?.member("value") ?? .null
    }
}

extension JSONValue {
    /// A text that the protocol promises.
    fileprivate func text(of name: String) throws -> String {
        guard let text = member(name)?.string else { throw Unexpected("no '\(name)': \(text)") }
        return text
    }
}
