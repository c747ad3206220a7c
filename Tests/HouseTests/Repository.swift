import Foundation

/// The files of this repository, read once.
///
/// The repository is the closest folder above this file with a `Package.swift` named `waggle`, or
/// the folder in `WAGGLE_REPOSITORY`.
enum Repository {
    static let root = findRoot()

    static let modules = packageModules(in: text(of: "Package.swift"))

    /// The articles of the documentation.
    static let documentation = "Sources/Waggle/Documentation.docc"

    /// The code of the product.
    static let sources = swiftFiles(under: ["Sources", "Templates"])

    /// The tests, without the generated code in `Golden` and `Kept`.
    static let tests = swiftFiles(under: ["Tests"]).filter { file in
        !["Tests/Golden/", "Tests/OutsidePackage/Sources/Kept/"].contains {
            file.path.hasPrefix($0)
        }
    }

    /// The text of all articles.
    static let pages = files(under: [documentation]).filter { $0.hasSuffix(".md") }
        .map(text).joined(separator: "\n")

    /// Every Markdown page, without those that the generator wrote.
    static let markdownPages =
        ["README.md", "CHANGELOG.md"]
        + files(under: ["Sources", "Templates", "Definitions", "Tests"]).filter {
            $0.hasSuffix(".md") && !$0.hasPrefix("Tests/Golden/") && !$0.contains(".build/")
        }

    /// Names at the top, without what `.gitignore` leaves out.
    static var topLevelNames: [String] {
        let ignored = IgnoredNames(text(of: ".gitignore"))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0 != ".git" && !ignored.contain($0) }.sorted()
    }

    /// The folders in `Sources/`.
    static var sourceFolders: [String] {
        let sources = root.appending(path: "Sources").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []).sorted()
    }

    /// Empty if the file does not exist.
    static func text(of path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: root.appending(path: path))
    }

    /// Whether golden files are to be rewritten.
    static let updatesGolden = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    private static func swiftFiles(under folders: [String]) -> [SourceText] {
        files(under: folders).filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
            .map { SourceText(path: $0, text(of: $0)) }
    }

    private static func files(under folders: [String]) -> [String] {
        folders.flatMap { folder -> [String] in
            let start = root.appending(path: folder).path
            let found = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String }
            return (found ?? []).sorted().map { "\(folder)/\($0)" }
        }
    }

    private static func findRoot() -> URL {
        if let path = ProcessInfo.processInfo.environment["WAGGLE_REPOSITORY"] {
            return URL(filePath: path)
        }
        let here = URL(filePath: #filePath)
        let places = [here, here.resolvingSymlinksInPath()].flatMap(foldersAbove)
        return places.first(where: isRoot) ?? here
    }

    private static func foldersAbove(_ file: URL) -> [URL] {
        let parts = file.pathComponents
        return parts.indices.dropFirst().reversed().map {
            URL(filePath: NSString.path(withComponents: Array(parts[..<$0])))
        }
    }

    private static func isRoot(_ folder: URL) -> Bool {
        let manifest = folder.appending(path: "Package.swift")
        let text = try? String(contentsOf: manifest, encoding: .utf8)
        return text?.contains("name: \"waggle\"") ?? false
    }
}

/// The patterns of a `.gitignore` that are plain: `name`, `name/` and `*.suffix`.
struct IgnoredNames {
    private let names: Set<String>
    private let suffixes: [String]

    init(_ text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        suffixes = lines.filter { $0.hasPrefix("*") }.map { String($0.dropFirst()) }
        names = Set(lines.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    }

    func contain(_ name: String) -> Bool {
        names.contains(name) || suffixes.contains(where: name.hasSuffix)
    }
}
