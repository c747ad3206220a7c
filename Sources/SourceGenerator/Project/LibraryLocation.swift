/// The location of the library for a new package.
package enum LibraryLocation: Hashable, Sendable {
    /// The path of a checkout.
    case folder(String)
    /// With the earliest version, such as `1.2.0`; nil for the branch `main`.
    case repository(url: String, version: String? = nil)

    /// The identity of the package for SwiftPM: the last component of path or URL.
    var identity: String {
        switch self {
        case .folder(let path): lastPart(of: path)
        case .repository(let url, _): withoutEnding(lastPart(of: url))
        }
    }

    /// The package name in a product dependency of a manifest.
    var packageName: String {
        switch self {
        case .folder: "waggle"
        case .repository: identity
        }
    }

    /// The package dependency in a manifest.
    var dependency: String {
        switch self {
        case .folder(let path):
            ".package(name: \(swiftLine(packageName)), path: \(swiftLine(path)))"
        case .repository(let url, let version):
            ".package(url: \(swiftLine(url)), "
                + (version.map { "from: \(swiftLine($0)))" } ?? "branch: \"main\")")
        }
    }
}

private func lastPart(of place: String) -> String {
    place.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? place
}

private func withoutEnding(_ name: String) -> String {
    name.hasSuffix(".git") ? String(name.dropLast(4)) : name
}
