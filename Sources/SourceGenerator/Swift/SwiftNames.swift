/// Legal Swift names for the names of a definition, each a name of its own.
///
/// A name that can stay as it is stays, whatever else the definition holds and in whatever order;
/// the others follow alphabetically, so that moving an element renames nothing.
struct SwiftNames {
    private let byOriginal: [String: String]

    subscript(original: String) -> String { byOriginal[original] ?? original }

    /// `fold` gives the form in which two names must differ.
    init(
        of originals: [String], wanted: (String) -> String, reserved: Set<String>,
        suffix: String, fold: (String) -> String
    ) {
        var byOriginal: [String: String] = [:]
        var taken = Set(reserved.map(fold))
        let kept = originals.filter { wanted($0) == $0 }.sorted()
        for original in kept + originals.filter({ wanted($0) != $0 }).sorted() {
            let plain = wanted(original)
            let base = reserved.contains(plain) ? plain + suffix : plain
            let name = firstFree(base) { !taken.contains(fold($0)) }
            taken.insert(fold(name))
            byOriginal[original] = name
        }
        self.byOriginal = byOriginal
    }
}

/// The name itself, or with the first number from 2 that makes it free.
private func firstFree(_ name: String, where isFree: (String) -> Bool) -> String {
    var candidate = name
    var number = 2
    while !isFree(candidate) {
        candidate = "\(name)\(number)"
        number += 1
    }
    return candidate
}

extension SwiftNames {
    /// Names of types and, since each type has a file, of files: on some disks two files cannot
    /// differ by case alone.
    static func types(of models: [String], prefix: String, support: [String]) -> SwiftNames {
        SwiftNames(
            of: models, wanted: { typeName($0, prefix: prefix) },
            reserved: SwiftWords.takenTypes.union(support), suffix: "Model",
            fold: { $0.lowercased() })
    }

    /// Names of properties, without backticks.
    static func properties(of fields: [String]) -> SwiftNames {
        SwiftNames(
            of: fields, wanted: propertyName, reserved: SwiftWords.takenMembers, suffix: "Field",
            fold: { $0 })
    }
}

/// `work_order` with the prefix `MMD` is `MMDWorkOrder`.
private func typeName(_ model: String, prefix: String) -> String {
    let name = model.split(separator: "_").map(capitalized).joined()
    let isStart = name.first?.isLetter ?? false
    return prefix + (prefix.isEmpty && !isStart ? "Model" : "") + name
}

/// `unit_price` is `unitPrice`, `Title` is `title`, `URLPath` is `urlPath`.
private func propertyName(_ field: String) -> String {
    let parts = field.split(separator: "_")
    let name =
        parts.prefix(1).map(uncapitalized).joined() + parts.dropFirst().map(capitalized).joined()
    return name.first?.isLetter ?? false ? name : "field" + name
}

private func capitalized(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
}

/// Lowers leading capitals, but not the one that starts the next word.
private func uncapitalized(_ word: Substring) -> String {
    let capitals = word.prefix(while: \.isUppercase).count
    let startsNext = capitals > 1 && word.dropFirst(capitals).first?.isLetter == true
    let count = startsNext ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
}
