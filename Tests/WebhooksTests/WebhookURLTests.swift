import Testing

@testable import Webhooks

@Suite("Allowed webhook URLs")
struct WebhookURLTests {
    @Test(arguments: [
        ("https://hooks.example/app", "https://hooks.example/app"),
        ("https://hooks.example/app", "https://hooks.example/app/"),
        ("https://hooks.example/app", "https://hooks.example/app/anna?key=a/b&c=d"),
        ("https://hooks.example/app/", "https://hooks.example/app/anna"),
        ("https://hooks.example", "https://hooks.example/anything/at/all"),
        ("https://hooks.example/", "https://hooks.example"),
        ("HTTPS://Hooks.Example/app", "https://hooks.example:443/app/x%20y"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/x"),
        ("http://[::1]:8080/", "http://[::1]:8080/x"),
    ])
    func prefixCoversURLsBelowIt(prefix: String, url: String) throws {
        #expect(try covers(prefix, url))
    }

    @Test(arguments: [
        ("https://hooks.example", "https://hooks.example.evil/app"),
        ("https://hooks.example", "https://evil.hooks.example/"),
        ("https://hooks.example", "https://hooks.example."),
        ("https://hooks.example", "https://hooks.exampl%65/"),
        ("https://hooks.example", "https://hooks.example@evil/"),
        ("https://hooks.example", "https://anna:secret@hooks.example/"),
        ("https://hooks.example", "https://evil/hooks.example"),
        ("https://hooks.example", "https://evil?https://hooks.example"),
        ("https://hooks.example", "https://evil#https://hooks.example"),
        ("https://hooks.example", "https:hooks.example/"),
        ("https://hooks.example", #"https://hooks.example\@evil/"#),
        ("https://hooks.example", #"https://evil\.hooks.example/"#),
        ("https://hooks.example", "http://hooks.example/"),
        ("https://hooks.example", "https://hooks.example:444/"),
        ("https://hooks.example", "https://hooks.example:0443x/"),
        ("https://hooks.example", "https://hooks.example:99999/"),
        ("https://hooks.example", " https://hooks.example/"),
        ("https://hooks.example", "https://hooks.example/a b"),
        ("https://hooks.example", "https://hooks.example/\u{E9}"),
        ("https://hooks.example", "https://hooks.example/%"),
        ("https://hooks.example", "https://hooks.example/x\r\nHost: evil"),
        ("https://hooks.example", "https://hooks.example/x#y"),
        ("https://hooks.example", "file:///etc/passwd"),
        ("https://hooks.example", ""),
        ("https://hooks.example/app", "https://hooks.example/"),
        ("https://hooks.example/app", "https://hooks.example/application"),
        ("https://hooks.example/app", "https://hooks.example/App"),
        ("https://hooks.example/app", "https://hooks.example/app/../admin"),
        ("https://hooks.example/app", "https://hooks.example/app/%2e%2E/admin"),
        ("https://hooks.example/app", "https://hooks.example/app/.%2e"),
        ("https://hooks.example/app", "https://hooks.example/app/..%2fadmin"),
        ("https://hooks.example/app", "https://hooks.example/app/..%5Cadmin"),
        ("https://hooks.example/app", "https://hooks.example//app"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:80801/"),
    ])
    func prefixCoversNoOtherURL(prefix: String, url: String) throws {
        #expect(try !covers(prefix, url))
    }

    @Test(arguments: [
        "hooks.example", "https://", "https://*", "https://*.example/", "ftp://hooks.example/",
        "https://hooks.example/?key=x", "https://a@hooks.example/", "https://hooks.example/../x",
    ])
    func incompletePrefixesAreRefused(text: String) {
        #expect(WebhookURLPrefix(text) == nil)
    }

    /// The HTTP client parses the URL again, and must find the same parts.
    @Test func urlIsWrittenFromItsParts() {
        #expect(
            WebhookURL("HTTP://Hooks.Example/a//b/?q=%41")?.text
                == "http://hooks.example:80/a//b/?q=%41")
        #expect(WebhookURL("https://hooks.example")?.text == "https://hooks.example:443/")
    }

    private func covers(_ prefix: String, _ url: String) throws -> Bool {
        let prefix = try #require(WebhookURLPrefix(prefix))
        return WebhookURL(url).map(prefix.covers) ?? false
    }
}
