/// A module of the product, as `Package.swift` declares it.
struct PackageModule: Hashable, Sendable {
    let name: String
    /// The comment above its target.
    let task: String
    let dependencies: [Dependency]

    struct Dependency: Hashable, Sendable {
        /// A module of this package, or a product of another one.
        let name: String
        /// The package of a product; nil for a module of this package.
        let package: String?
        /// It is declared for some platforms only.
        let isConditional: Bool
    }

    /// The names of what it may import.
    var imports: Set<String> { Set(dependencies.map(\.name)) }
}

/// The modules in `let modules` of a `Package.swift`, in its order.
func packageModules(in manifest: String) -> [PackageModule] {
    let start = manifest.firstRange(of: "let modules")?.upperBound ?? manifest.startIndex
    let end = manifest[start...].firstRange(of: "\n]\n")?.lowerBound ?? manifest.endIndex
    let list = manifest[start..<end]
    let target =
        #/
        (?<comment> (?: \ * // \  [^\n]* \n )*) \ *
        \. (?: module | target | executableTarget | systemLibrary) \(
        \s* (?: name: \s*)? "(?<name> \w+)"
        /#
    let heads = Array(list.matches(of: target))
    return heads.indices.map { index in
        let next = index + 1 < heads.count ? heads[index + 1].range.lowerBound : end
        return PackageModule(
            name: String(heads[index].output.name), task: task(in: heads[index].output.comment),
            dependencies: dependencies(in: list[heads[index].range.upperBound..<next]))
    }
}

private func task(in comment: Substring) -> String {
    comment.split(separator: "\n").map { line in
        String(line.drop { $0 == " " || $0 == "/" })
    }.joined(separator: " ")
}

private func dependencies(in target: Substring) -> [PackageModule.Dependency] {
    guard let label = target.firstMatch(of: /dependencies:\s*\[/) else { return [] }
    let list = target[label.range.upperBound...].prefix { $0 != "]" }
    let dependency =
        /(?:\.(?:product|byName)\(name:\s*)?"(\w+)"(?:,\s*package:\s*"([^"]+)")?(,\s*condition:)?/
    return list.matches(of: dependency).map { match in
        PackageModule.Dependency(
            name: String(match.output.1), package: match.output.2.map { String($0) },
            isConditional: match.output.3 != nil)
    }
}
