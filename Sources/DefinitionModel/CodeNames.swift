/// Maps the names of a definition to legal, unique names in generated code.
///
/// A name that is legal and free is kept, whatever other names the definition holds and in whatever
/// order. The others are assigned in alphabetical order, so that moving an element renames nothing.
package struct CodeNames: Sendable {
    private var byOriginal: [String: CodeName] = [:]

    package init(of originals: [String], by rule: NamingRule) {
        let fold = rule.fold ?? { $0 }
        var holders: [String: String] = [:]
        let obstacle = { (form: String) -> Obstacle? in
            rule.takenForms.contains(form) ? .taken : holders[form].map { .nameOf($0) }
        }
        var numbers = NumberSuffixes()
        for (original, spelled) in inOrderOfAssignment(originals, by: rule) {
            let isTaken = rule.taken.contains(spelled)
            let found = isTaken ? .taken : obstacle(fold(spelled))
            let base = isTaken ? spelled + rule.suffix : spelled
            let name = numbers.firstFree(base, folded: fold(base)) { obstacle(fold($0)) == nil }
            holders[fold(name)] = original
            byOriginal[original] = CodeName(
                name: name, written: rule.keywords.contains(name) ? rule.quote(name) : name,
                spelled: spelled, obstacle: found)
        }
    }

    /// Nil only for a name that was not among the originals.
    package subscript(original: String) -> CodeName? { byOriginal[original] }

    /// The assigned name. A name that was not among the originals is returned as it is.
    package func name(of original: String) -> String { byOriginal[original]?.name ?? original }

    /// The name as it is written in code; see `CodeName.written`.
    package func written(_ original: String) -> String {
        byOriginal[original]?.written ?? original
    }
}

/// The name in generated code of one name in a definition.
package struct CodeName: Hashable, Sendable {
    package let name: String
    /// The name as it is written in code: a keyword is quoted.
    package let written: String
    /// The name that the spelling rules of the language give, before conflicts are resolved.
    package let spelled: String
    /// The reason why `name` differs from `spelled`; nil if it does not.
    package let obstacle: Obstacle?
}

/// The reason why a name cannot be used as it is spelled.
package enum Obstacle: Hashable, Sendable {
    /// The name is reserved.
    case taken
    /// The name conflicts with the one assigned to this other original.
    case nameOf(String)
}

/// Names that are kept come first.
private func inOrderOfAssignment(
    _ originals: [String], by rule: NamingRule
) -> [(original: String, spelled: String)] {
    let spelled = originals.map { (original: $0, spelled: rule.spelled($0)) }
        .sorted { $0.original < $1.original }
    return spelled.filter { $0.original == $0.spelled }
        + spelled.filter { $0.original != $0.spelled }
}

/// The last number appended to each name, so that the search for the next one does not start over.
private struct NumberSuffixes {
    private var next: [String: Int] = [:]

    /// The name itself, or the name with the first number from 2 that makes it free.
    mutating func firstFree(
        _ name: String, folded: String, where isFree: (String) -> Bool
    ) -> String {
        guard !isFree(name) else { return name }
        var number = next[folded] ?? 2
        while !isFree("\(name)\(number)") { number += 1 }
        next[folded] = number + 1
        return "\(name)\(number)"
    }
}
