/// The part of the page *House* that `Package.swift` determines, as Markdown.
func modulePage(of modules: [PackageModule], pure: Set<String>) -> String {
    [
        moduleTable(modules, pure: pure),
        "A module depends only on modules in lower rows:",
        "```\n" + layerDrawing(of: modules) + "\n```",
        "These libraries are known in the modules beside them, and no other module imports them:",
        libraryTable(modules),
    ].joined(separator: "\n\n")
}

private func moduleTable(_ modules: [PackageModule], pure: Set<String>) -> String {
    let rows = modules.map { module in
        let dependencies = module.dependencies.map { dependency in
            (dependency.package == nil ? "`\(dependency.name)`" : dependency.name)
                + (dependency.isConditional ? " (Linux)" : "")
        }
        let list = dependencies.isEmpty ? "–" : dependencies.joined(separator: ", ")
        let io = pure.contains(module.name) ? "none" : ""
        return "| `\(module.name)` | \(module.task) | \(io) | \(list) |"
    }
    return (["| module | task | I/O | dependencies |", "|---|---|---|---|"] + rows)
        .joined(separator: "\n")
}

/// One row for each layer, the highest first, each with its number. The number of a module is one
/// more than the highest number of what it depends on.
func layerDrawing(of modules: [PackageModule]) -> String {
    let layers = layers(of: modules)
    return layers.indices.reversed().flatMap { layer in
        wrapped(layers[layer], columns: 88).enumerated().map { index, line in
            (index > 0 ? "    " : layer < 10 ? " \(layer)  " : "\(layer)  ") + line
        }
    }.joined(separator: "\n")
}

private func layers(of modules: [PackageModule]) -> [[String]] {
    var numbers: [String: Int] = [:]
    var layers: [[String]] = []
    for module in modules {
        let number = (module.imports.compactMap { numbers[$0] }.max() ?? -1) + 1
        numbers[module.name] = number
        if number == layers.count { layers.append([]) }
        layers[number].append(module.name)
    }
    return layers
}

private func wrapped(_ names: [String], columns: Int) -> [String] {
    names.reduce(into: []) { lines, name in
        guard let last = lines.last, last.count + 2 + name.count <= columns else {
            lines.append(name)
            return
        }
        lines[lines.count - 1] = "\(last)  \(name)"
    }
}

/// Products of other packages, and the system libraries, each with the modules that import it.
private func libraryTable(_ modules: [PackageModule]) -> String {
    let own = Set(modules.map(\.name))
    let libraries = modules.flatMap(\.dependencies).filter {
        !own.contains($0.name) || isSystemLibrary($0.name)
    }
    let rows = Set(libraries.map { Library(name: $0.name, package: $0.package) }).sorted().map {
        library in
        let users = modules.filter { $0.imports.contains(library.name) }.map { "`\($0.name)`" }
        return "| \(library.name) | \(library.package ?? "the system") "
            + "| \(users.joined(separator: ", ")) |"
    }
    return (["| library | from | imported by |", "|---|---|---|"] + rows).joined(separator: "\n")
}

private struct Library: Hashable, Comparable {
    let name: String
    let package: String?

    static func < (first: Library, second: Library) -> Bool { first.name < second.name }
}

/// `CZip`, `CLibPQ`: a C library of the system is named so.
private func isSystemLibrary(_ name: String) -> Bool {
    name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
}
