/// Where a new package gets the library from.
package enum LibraryPlace: Hashable, Sendable {
    /// A checkout, by its path.
    case folder(String)
    case repository(url: String)

    /// What the package manager knows the package by: the last part of path or URL.
    var identity: String {
        switch self {
        case .folder(let path): lastPart(of: path)
        case .repository(let url): withoutEnding(lastPart(of: url))
        }
    }

    /// By which a product of it is named in a manifest.
    var packageName: String {
        switch self {
        case .folder: "waggle"
        case .repository: identity
        }
    }

    /// As a dependency in a manifest.
    var dependency: String {
        switch self {
        case .folder(let path):
            ".package(name: \(swiftLine(packageName)), path: \(swiftLine(path)))"
        case .repository(let url): ".package(url: \(swiftLine(url)), branch: \"main\")"
        }
    }
}

private func lastPart(of place: String) -> String {
    place.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? place
}

private func withoutEnding(_ name: String) -> String {
    name.hasSuffix(".git") ? String(name.dropLast(4)) : name
}
