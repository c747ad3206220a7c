/// The document of every page with bar and rail. These pages differ in title, style and module
/// only. The lists that the rail shows have the names and titles of all but the first page.
enum PageFrame {
    private static let path = "pages/frame.html"
    /// The modules with the lists, and the style of the pages in each.
    private static let lists = [
        ("modules/create-pages.js", "create"), ("modules/environment-pages.js", "environment"),
    ]

    /// Puts the pages that it makes in the place of the frame.
    static func filled(in files: [String: ConsoleDocument]) -> [String: ConsoleDocument] {
        guard let frame = files[path] else { return files }
        var documents = files
        documents[path] = nil
        let listed = lists.flatMap { list, style in
            (files[list]?.text.matches(of: #/name: "([\w-]+)", title: "([^"]+)"/#) ?? []).map {
                page($0.output.1, title: $0.output.2, style: style, in: frame)
            }
        }
        for page in [page("start", title: "Start", style: "start", in: frame)] + listed {
            documents[page.path] = page
        }
        return documents
    }

    private static func page(
        _ name: Substring, title: Substring, style: String, in frame: ConsoleDocument
    ) -> ConsoleDocument {
        let text = frame.text.replacing("{style}", with: style)
            .replacing("{name}", with: name)
            .replacing("{title}", with: title.replacing("&", with: "&amp;"))
        return frame.replacing(Array(text.utf8), at: "pages/\(name).html")
    }
}
