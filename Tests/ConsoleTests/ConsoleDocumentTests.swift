import Testing

@testable import Console

@Suite("The files of the console are embedded")
struct ConsoleDocumentTests {
    private let documents = ConsoleDocument.all()

    @Test(arguments: [
        ("pages/setup.html", "text/html; charset=utf-8"),
        ("modules/api.js", "text/javascript; charset=utf-8"),
        ("styles/base.css", "text/css; charset=utf-8"),
        ("images/waggle.svg", "image/svg+xml"),
    ])
    func fileHasTypeOfItsName(path: String, type: String) throws {
        #expect(try #require(documents[path]).contentType == type)
    }

    @Test func contentsAreWhole() throws {
        let document = try #require(documents["pages/setup.html"])
        let page = String(decoding: document.bytes, as: UTF8.self)
        #expect(page.hasPrefix("<!DOCTYPE html>\n"))
        #expect(page.hasSuffix("</html>\n"))
    }

    @Test func tagsDifferWithContents() {
        #expect(Set(documents.values.map(\.tag)).count == documents.count)
    }

    /// Every link, script and import of a file names a file that is there.
    @Test func everyReferenceIsServed() throws {
        for document in PageFrame.filled(in: documents).values {
            let text = document.text
            for match in text.matches(of: #/(?:href|src)="/console/([a-z]+/[\w.-]+)"/#) {
                #expect(documents[String(match.output.1)] != nil, "\(document.path)")
            }
            for match in text.matches(of: #/(?:from|import\() ?"\./([\w.-]+)"/#) {
                #expect(documents["modules/\(match.output.1)"] != nil, "\(document.path)")
            }
        }
    }

    /// Those of the rail are made of one frame.
    @Test(arguments: [
        ("models", "Models", "create"), ("groups", "Groups &amp; roles", "create"),
        ("records", "Records", "environment"), ("activity", "Activity", "environment"),
    ])
    func pageFillsFrame(name: String, title: String, style: String) throws {
        let page = try #require(PageFrame.filled(in: documents)["pages/\(name).html"]).text
        #expect(page.contains("<title>\(title) · Waggle</title>"))
        #expect(page.contains("<h1>\(title)</h1>"))
        for path in ["styles/\(style).css", "modules/\(name)-page.js"] {
            #expect(page.contains("\"/console/\(path)\""))
        }
        #expect(!page.contains("{"))
    }

    /// And the frame itself is none.
    @Test func everyModuleOfPageHasIts() {
        let pages = PageFrame.filled(in: documents)
        for path in documents.keys where path.hasSuffix("-page.js") {
            let page = path.replacing("modules/", with: "pages/")
                .replacing("-page.js", with: ".html")
            #expect(pages[page] != nil, "\(path)")
        }
        #expect(pages["pages/frame.html"] == nil)
    }

    /// Browsers keep files for good, so an address must not get other contents.
    @Test func addressesChangeWithContents() throws {
        let edition = ConsoleEdition(documents)
        #expect(edition.name == ConsoleEdition(documents).name)
        let style = try #require(documents["styles/base.css"])
        var others = documents
        others["styles/base.css"] = style.replacing(style.bytes + Array("p {}".utf8))
        #expect(ConsoleEdition(others).name != edition.name)
        for page in edition.documents.values where page.path.hasSuffix(".html") {
            let lasting = page.text.matches(of: #/"/console/(?:modules|styles|images)/[^"]+"/#)
            #expect(lasting.isEmpty, "\(page.path)")
        }
    }

    /// Otherwise each import is found when the one before has come.
    @Test func pagesNameTheirModules() throws {
        let edition = ConsoleEdition(documents)
        let page = try #require(edition.documents["pages/models.html"]).text
        for module in ["create-frame.js", "draft.js", "exact.js"] {
            let address = "/console/files/\(edition.name)/modules/\(module)"
            #expect(page.contains("<link rel=\"modulepreload\" href=\"\(address)\">"))
        }
        #expect(!page.contains("rights-page.js"))
    }

    @Test func allIsSmall() throws {
        #expect(documents.values.map(\.bytes.count).reduce(0, +) < 400_000)
        // The first page imports the storage of drafts as soon as somebody is signed in.
        #expect(try size(of: "pages/start.html", "modules/draft-storage.js") < 60_000)
    }

    /// The files that a browser loads for a page, without those that it loads later.
    private func size(of paths: String...) throws -> Int {
        let documents = PageFrame.filled(in: documents)
        for path in paths { _ = try #require(documents[path], "\(path)") }
        var (seen, waiting): (Set<String>, [String]) = ([], paths)
        while let next = waiting.popLast() {
            guard let document = documents[next], seen.insert(next).inserted else { continue }
            let text = String(decoding: document.bytes, as: UTF8.self)
            waiting += text.matches(of: #/(?:href|src)="/console/([a-z]+/[\w.-]+)"/#).map {
                String($0.output.1)
            }
            waiting += text.matches(of: #/from "\./([\w.-]+)"/#).map { "modules/\($0.output.1)" }
        }
        return seen.compactMap { documents[$0]?.bytes.count }.reduce(0, +)
    }
}
