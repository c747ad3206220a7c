/// What names of a definition are called in generated code: legal names, each one of its own.
///
/// A name that can stay as it is stays, whatever else the definition holds and in whatever order;
/// the others follow alphabetically, so that moving an element renames nothing.
package struct CodeNames: Sendable {
    private var byOriginal: [String: CodeName] = [:]

    package init(of originals: [String], by rule: NamingRule) {
        let fold = rule.fold ?? { $0 }
        var holders: [String: Obstacle] = [:]
        for name in rule.taken { holders[fold(name)] = .taken }
        var numbers = Numbers()
        for (original, spelled) in inTurn(originals, by: rule) {
            let isTaken = rule.taken.contains(spelled)
            let obstacle = isTaken ? .taken : holders[fold(spelled)]
            let base = isTaken ? spelled + rule.suffix : spelled
            let name = numbers.firstFree(base, folded: fold(base)) { holders[fold($0)] == nil }
            holders[fold(name)] = .nameOf(original)
            byOriginal[original] = CodeName(
                name: name, written: rule.keywords.contains(name) ? rule.quote(name) : name,
                spelled: spelled, obstacle: obstacle)
        }
    }

    /// Nil only for a name that was not among the originals.
    package subscript(original: String) -> CodeName? { byOriginal[original] }

    /// What it is called; a name that was not among the originals stays as it is.
    package func name(of original: String) -> String { byOriginal[original]?.name ?? original }

    /// As it is written in code, see `CodeName.written`.
    package func written(_ original: String) -> String {
        byOriginal[original]?.written ?? original
    }
}

/// What one name is called in generated code.
package struct CodeName: Hashable, Sendable {
    package let name: String
    /// As it has to be written in code: a keyword is quoted there.
    package let written: String
    /// What it would be called if nothing were in the way.
    package let spelled: String
    /// What was in the way.
    package let obstacle: Obstacle?
}

/// Why something is not called in generated code what it would be.
package enum Obstacle: Hashable, Sendable {
    /// The name means something else there.
    case taken
    /// It is too much like what another name of the definition became.
    case nameOf(String)
}

/// Those that stay as they are first.
private func inTurn(
    _ originals: [String], by rule: NamingRule
) -> [(original: String, spelled: String)] {
    let spelled = originals.map { (original: $0, spelled: rule.spelled($0)) }
        .sorted { $0.original < $1.original }
    return spelled.filter { $0.original == $0.spelled }
        + spelled.filter { $0.original != $0.spelled }
}

/// Which numbers names have got so far, so that the next one is not looked for from the start.
private struct Numbers {
    private var next: [String: Int] = [:]

    /// The name itself, or with the first number from 2 that makes it free.
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
