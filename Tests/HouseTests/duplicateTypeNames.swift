/// The names of top-level types that several modules declare, private ones too, with these modules.
func duplicateTypeNames(in files: [SourceText]) throws -> [String: Set<String>] {
    let pattern =
        #"^(?:@\w+(?:\([^)]*\))? +)*(?:(?:package|public|internal|private|fileprivate) +)?"#
        + #"(?:(?:final|indirect|nonisolated) +)*"#
        + #"(?:class|struct|enum|protocol|actor|typealias) +(\w+)"#
    var modules: [String: Set<String>] = [:]
    for file in files where file.module != "Plugins" {
        for match in try file.matches(of: pattern) {
            modules[match.groups[1], default: []].insert(file.module)
        }
    }
    return modules.filter { $0.value.count > 1 }
}

/// Public names of the library `Waggle` that the server has too. No program has both.
let namesOfBothSides: [String: Set<String>] = [
    "Instant": ["SyncEngine", "Waggle"],
    "User": ["SyncEngine", "Waggle"],
]
