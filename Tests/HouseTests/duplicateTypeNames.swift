/// The names of top-level types that several modules declare, with these modules.
func duplicateTypeNames(in files: [SourceText]) throws -> [String: Set<String>] {
    let pattern =
        #"^(?:@\w+(?:\([^)]*\))? +)*(?:(?:package|public|internal|final|indirect|nonisolated) +)*"#
        + #"(?:class|struct|enum|protocol|actor|typealias) +(\w+)"#
    var modules: [String: Set<String>] = [:]
    for file in files where file.module != "Plugins" {
        for match in try file.matches(of: pattern) {
            modules[match.groups[1], default: []].insert(file.module)
        }
    }
    return modules.filter { $0.value.count > 1 }
}

/// Names that have yet to be made unique. Only remove entries. `Main` is the entry point of two
/// programs and stays.
let knownDuplicateTypeNames: [String: Set<String>] = [
    "Condition": ["RecordSearch", "Waggle"],
    "Conflict": ["MemoryStore", "Waggle"],
    "ExactDecimal": ["DefinitionModel", "Waggle"],
    "FileReference": ["DefinitionModel", "Waggle"],
    "Instant": ["SyncEngine", "Waggle"],
    "Main": ["CommandLineTool", "ModelWriter"],
    "Operand": ["RecordSearch", "Waggle"],
    "Reference": ["SyncEngine", "Waggle"],
    "Schema": ["PostgresStore", "SQLiteStore"],
    "Search": ["RecordSearch", "Waggle"],
    "Settings": ["CommandLineTool", "Waggle"],
    "Transaction": ["PostgresStore", "Waggle"],
    "User": ["SyncEngine", "Waggle"],
]
