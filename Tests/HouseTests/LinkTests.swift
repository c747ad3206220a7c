import Foundation
import Testing

/// The links between Markdown pages, as a Git host or an editor follows them.
@Suite struct LinkTests {
    @Test func everyLinkLeadsToAFileAndAHeading() {
        var count = 0
        for page in Repository.markdownPages {
            for link in markdownLinks(in: Repository.text(of: page), of: page) {
                count += 1
                #expect(
                    isSound(link), "\(page): no \(link.path)\(link.fragment.map { "#\($0)" } ?? "")"
                )
            }
        }
        #expect(count > 150)
    }

    @Test func noPageHasALinkForDocCAlone() {
        for page in Repository.markdownPages {
            let text = prose(of: Repository.text(of: page))
            #expect(
                !text.contains("<doc:") && !text.contains("](doc:"),
                "\(page): 'make format' writes its links so that others follow them too")
        }
    }

    @Test(arguments: [
        ("see [a](A.md)", ["A.md"]), ("[a\nb](../A.md#b-c)", ["../A.md#b-c"]),
        ("[a](#b)", ["#b"]), ("[a](https://example.org)", []), ("`[a](A.md)`", []),
        ("```\n[a](A.md)\n```\n[b](B.md)", ["B.md"]),
    ])
    func linksAreFound(text: String, targets: [String]) {
        let links = markdownLinks(in: text, of: "P.md")
        #expect(links.map { $0.path + ($0.fragment.map { "#\($0)" } ?? "") } == targets)
    }

    @Test func headingsAreNamedAsGitHostsNameThem() {
        let text = "# Waggle's own `attributes`\n## How many?\n```\n# not one\n```\n### a-b_c\n"
        #expect(headingNames(in: text) == ["waggles-own-attributes", "how-many", "a-b_c"])
    }

    private func isSound(_ link: MarkdownLink) -> Bool {
        let folder = Repository.root.appending(path: link.page).deletingLastPathComponent()
        let target =
            link.path.isEmpty
            ? Repository.root.appending(path: link.page)
            : folder.appending(path: link.path).standardizedFileURL
        guard FileManager.default.fileExists(atPath: target.path) else { return false }
        guard let fragment = link.fragment else { return true }
        let text = (try? String(contentsOf: target, encoding: .utf8)) ?? ""
        return headingNames(in: text).contains(fragment)
    }
}
