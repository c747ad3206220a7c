import Foundation
import JSON

/// A browser without a window, driven by the WebDriver protocol.
///
/// Everything that waits waits for the page: a condition is evaluated for each frame.
final class Browser: Sendable {
    /// Of the window, in CSS pixels.
    struct Size: Hashable, Sendable {
        var width = 1280
        var height = 900
    }

    private let driver: ChromeDriver
    private let folder: TemporaryFolder
    private let identifier: String
    /// `http://127.0.0.1:PORT`, before each path.
    let origin: String

    private init(origin: String, size: Size) async throws {
        self.origin = origin
        folder = try TemporaryFolder()
        driver = try await ChromeDriver.start(in: folder)
        let switches = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            "--no-first-run", "--hide-scrollbars", "--lang=en", "--force-color-profile=srgb",
            "--window-size=\(size.width),\(size.height)",
            "--user-data-dir=\(folder.path("profile"))",
        ]
        let answer = try await Self.send(
            "POST", "/session", to: driver,
            .object([
                "capabilities": .object([
                    "alwaysMatch": .object([
                        "browserName": .string("chrome"),
                        "timeouts": .object([
                            "script": .integer(30_000), "pageLoad": .integer(30_000),
                        ]),
                        "unhandledPromptBehavior": .string("ignore"),
                        "goog:loggingPrefs": .object(["browser": .string("ALL")]),
                        "goog:chromeOptions": .object([
                            "args": .array(switches.map(JSONValue.string))
                        ]),
                    ])
                ])
            ]))
        guard case .string(let identifier)? = answer.member("sessionId") else {
            throw Unexpected("no session of a browser: \(answer.text)")
        }
        self.identifier = identifier
    }

    /// Runs `body` with a browser, and ends the browser.
    static func run<Value: Sendable>(
        on server: RunningServer, size: Size = Size(),
        _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let browser = try await Browser(origin: "http://127.0.0.1:\(server.port)", size: size)
        do {
            let value = try await body(browser)
            try await browser.call("DELETE", "")
            return value
        } catch {
            let page = try? await browser.script("return document.body.innerText")
            _ = try? await browser.call("DELETE", "")
            throw Unexpected("\(error)\nthe page shows: \(page?.string ?? "nothing")")
        }
    }

    // MARK: The protocol

    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue
    {
        try await Self.send(method, "/session/\(identifier)\(path)", to: driver, body)
    }

    /// Foundation's URL loading does not read the headers of chromedriver.
    private static func send(
        _ method: String, _ path: String, to driver: ChromeDriver, _ body: JSONValue?
    ) async throws -> JSONValue {
        let content = method == "POST" ? Data((body ?? .object([:])).text.utf8) : Data()
        let connection = try RawConnection(port: driver.port)
        connection.send(
            """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(driver.port)\r
            Content-Type: application/json\r
            Content-Length: \(content.count)\r
            Connection: close\r
            \r

            """)
        connection.send(content)
        let head = await connection.receive(until: "\r\n\r\n").lowercased()
        guard let length = head.firstMatch(of: /content-length: *(\d+)/).flatMap({ Int($0.1) })
        else { throw Unexpected("chromedriver does not answer \(method) \(path): \(head)") }
        let data = await connection.receive(length)
        let value = try parseJSON(Array(data)).member("value") ?? .null
        if let error = value.member("error")?.string {
            throw BrowserError(kind: error, message: value.member("message")?.string ?? "")
        }
        return value
    }

    /// Calls a function of Chrome's own protocol.
    @discardableResult
    func chrome(
        _ command: String, _ parameters: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        try await call(
            "POST", "/goog/cdp/execute",
            .object(["cmd": .string(command), "params": .object(parameters)]))
    }

    // MARK: Pages

    func open(_ path: String) async throws {
        try await call("POST", "/url", .object(["url": .string(origin + path)]))
    }

    /// Runs the body of a function, after the functions of `pageScript`.
    @discardableResult
    func script(_ body: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await run(body, arguments, at: "/execute/sync")
    }

    /// Waits until the expression is neither false nor null, and returns its value. It sees the
    /// functions of `pageScript` and `given`, the arguments.
    @discardableResult
    func wait(for expression: String, _ arguments: JSONValue...) async throws -> JSONValue {
        let body = """
            const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1)
            const step = () => {
              const found = (\(expression))
              if (found) done(found)
              else requestAnimationFrame(step)
            }
            step()
            """
        while true {
            do {
                return try await run(body, arguments, at: "/execute/async")
            } catch let error as BrowserError where error.isOfLeftPage {
                continue
            } catch let error as BrowserError {
                throw Unexpected("\(expression) \(arguments.map(\.text)): \(error)")
            }
        }
    }

    private func run(
        _ body: String, _ arguments: [JSONValue], at path: String
    ) async throws -> JSONValue {
        try await call(
            "POST", path,
            .object(["script": .string(pageScript + body), "args": .array(arguments)]))
    }

    /// Console messages and violations of the content security policy since the last call, without
    /// the responses that are errors: pages show these.
    func messages() async throws -> [String] {
        let log = try await call("POST", "/se/log", .object(["type": .string("browser")]))
        return log.elements.filter { $0.member("source")?.string != "network" }.map {
            $0.member("message")?.string ?? $0.text
        }
    }

    // MARK: Keys

    enum Key: String {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case space = " "
        case up = "\u{E013}"
        case down = "\u{E015}"
    }

    func press(_ key: Key) async throws { try await type(key.rawValue) }

    /// Presses the keys of a text, one after the other, while a modifier is held.
    func type(_ text: String, holding modifier: String? = nil) async throws {
        func act(_ type: String, _ value: String) -> JSONValue {
            .object(["type": .string(type), "value": .string(value)])
        }
        let keys = text.map { String($0) }.flatMap { [act("keyDown", $0), act("keyUp", $0)] }
        let all =
            (modifier.map { [act("keyDown", $0)] } ?? []) + keys
            + (modifier.map { [act("keyUp", $0)] } ?? [])
        try await call(
            "POST", "/actions",
            .object([
                "actions": .array([
                    .object([
                        "type": .string("key"), "id": .string("keyboard"), "actions": .array(all),
                    ])
                ])
            ]))
    }
}

/// An error of the WebDriver protocol.
struct BrowserError: Error, CustomStringConvertible {
    /// Such as `stale element reference`.
    let kind: String
    let message: String

    var description: String { "\(kind): \(message.prefix { $0 != "\n" })" }

    /// Whether the page was left while a script waited in it.
    var isOfLeftPage: Bool {
        kind == "stale element reference" || kind == "no such execution context"
            || message.contains("unloaded") || message.contains("navigat")
            || message.contains("Cannot find context")
    }
}
