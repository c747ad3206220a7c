/// Types with the name of a module, which would make `Name.Other` ambiguous in Swift.
func moduleNameFindings(in text: SourceText, modules: Set<String>) throws -> [Finding] {
    let pattern = #"\b(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)"#
    return try text.matches(of: pattern).filter { modules.contains($0.groups[1]) }.map {
        text.finding(line: $0.line, "'\($0.groups[1])' is a module: give the type another name")
    }
}
