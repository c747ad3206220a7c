/// The document of every page with bar and rail. These pages differ in title, style and module
/// only, and the lists that the rail shows have their names and titles.
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
        for (list, style) in lists {
            let entries = files[list]?.text.matches(of: #/name: "([\w-]+)", title: "([^"]+)"/#)
            for entry in entries ?? [] {
                let name = String(entry.output.1)
                let text = frame.text.replacing("{style}", with: style)
                    .replacing("{name}", with: name)
                    .replacing("{title}", with: entry.output.2.replacing("&", with: "&amp;"))
                let page = frame.replacing(Array(text.utf8), at: "pages/\(name).html")
                documents[page.path] = page
            }
        }
        return documents
    }
}
