import Foundation
import Testing

/// The rules of the console's files, which are not Swift.
@Suite struct ConsoleFileRules {
    private static let folder = "Sources/ConsoleFiles"
    private static let paths = ["images", "modules", "pages", "styles"].flatMap { kind in
        let place = Repository.root.appending(path: "\(folder)/\(kind)").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.sorted().map { "\(kind)/\($0)" }
    }

    /// Names that look like addresses, and that nobody fetches.
    private static let namespaces = [
        "http://www.w3.org/2000/svg", "http://schema.mobeelizer.com/application",
    ]

    @Test func everyFileIsEmbeddedOnce() {
        let lists = ["shell.h", "create.h", "environment.h"].map {
            Repository.text(of: "\(Self.folder)/\($0)")
        }.joined()
        for path in Self.paths {
            #expect(lists.ranges(of: "{\"\(path)\", ").count == 1, "\(path)")
            #expect(lists.ranges(of: "#embed \"\(path)\" suffix(, 0)").count == 1, "\(path)")
        }
        let others = lists.ranges(of: "#embed \"../../Definitions/").count
        #expect(lists.ranges(of: "#embed").count == Self.paths.count + others)
    }

    @Test(arguments: paths)
    func textIsAsInHouse(path: String) {
        guard !path.hasPrefix("images/") else { return }
        let lines = Repository.text(of: "\(Self.folder)/\(path)").split(
            separator: "\n", omittingEmptySubsequences: false)
        expectNone(longLineFindings(in: lines, of: path) + subjectFindings(in: lines, of: path))
        #expect(lines.count <= SizeLimit.fileLines + 1, "split it")
    }

    /// The policy of the pages forbids all of these. Texts become nodes by `el` and `svg`.
    @Test(arguments: [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
        "new Function", "setAttribute(\"style\"", "style=", "<style", "onclick=\"", "javascript:",
        "http://", "https://",
    ])
    func nothingBecomesMarkup(banned: String) {
        for path in Self.paths where !path.hasPrefix("images/") {
            let text = Self.namespaces.reduce(Repository.text(of: "\(Self.folder)/\(path)")) {
                $0.replacing($1, with: "")
            }
            #expect(!text.contains(banned), "\(path)")
        }
    }
}
