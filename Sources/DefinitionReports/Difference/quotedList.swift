import DefinitionModel

/// Such as "'a'", "'a' and 'b'", "'a', 'b' and 'c'".
func quotedList(_ names: [String]) -> String {
    listed(names.map { "'\($0)'" })
}
