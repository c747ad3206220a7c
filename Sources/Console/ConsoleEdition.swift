import Hashing

/// All files of the console, at addresses that change with their contents. Browsers keep what they
/// have loaded, and ask again for the pages only.
struct ConsoleEdition: Sendable {
    /// A digest of all files.
    let name: String
    /// By path. Pages refer to the addresses of the edition, and name all modules that they need,
    /// so that a browser fetches them at once and not one after the other.
    let documents: [String: ConsoleDocument]

    init(_ embedded: [String: ConsoleDocument] = ConsoleDocument.all()) {
        let originals = PageFrame.filled(in: embedded)
        let tags = originals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.tag)\n" }
        let name = hexadecimal(SHA256.hash(Array(tags.joined().utf8)).prefix(12))
        let known = originals.filter { $0.key.hasSuffix(".js") }.mapValues(\.imports)
        self.name = name
        documents = originals.mapValues { document in
            guard document.path.hasSuffix(".html") else { return document }
            var page = document.text
            if let script = page.firstMatch(of: #/<script type="module" src="\/console\/([^"]+)"/#)
            {
                let modules = imports(of: String(script.output.1), in: known)
                page.insert(contentsOf: preloads(of: modules), at: script.range.lowerBound)
            }
            for folder in ["modules", "styles", "images"] {
                page = page.replacing(
                    "\"/console/\(folder)/", with: "\"/console/files/\(name)/\(folder)/")
            }
            return document.replacing(Array(page.utf8))
        }
    }
}

private func preloads(of modules: [String]) -> String {
    modules.map { "<link rel=\"modulepreload\" href=\"/console/\($0)\">\n" }.joined()
}

/// The modules that a module imports, and those that these import, sorted.
private func imports(of module: String, in known: [String: [String]]) -> [String] {
    var (seen, waiting): (Set<String>, [String]) = ([], [module])
    while let next = waiting.popLast() {
        if seen.insert(next).inserted { waiting += known[next] ?? [] }
    }
    return seen.subtracting([module]).sorted()
}

extension ConsoleDocument {
    /// The modules in its imports. Each import ends a line: `} from "./api.js";`.
    fileprivate var imports: [String] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.suffix(5).elementsEqual(#".js";"#.utf8) else { return nil }
            let parts = String(decoding: line, as: UTF8.self).split(separator: "\"")
            return String(parts[parts.count - 2].replacing("./", with: "modules/"))
        }
    }
}
