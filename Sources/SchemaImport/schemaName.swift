/// A name that a definition takes, made from another one: at most 40 ASCII letters, digits and `_`,
/// without a digit at the start. One of the names that it may not be, `reserved`, gets a suffix.
func schemaName(
    _ name: String, besides reserved: Set<String> = [], suffix: String = "_"
) -> String {
    var text = String(legalName(name).prefix(35))
    while reserved.contains(text) { text += suffix }
    return text
}

/// The alias that keeps a name of the schema for clients under which a definition has another one.
/// Nil if it has none, or cannot have the alias, which is noted.
func schemaAlias(
    of name: String, in model: String? = nil, called chosen: String, noting notes: inout [String]
) -> String? {
    guard chosen != name else { return nil }
    guard legalName(name) == name, name.utf8.count <= maxAliasLength else {
        let place = model.map { "\($0)." } ?? ""
        notes.append(
            "\(place)\(name) becomes \(chosen), also for clients: no alias can be called so")
        return nil
    }
    return name
}

/// As the compiler has it.
private let maxAliasLength = 128

private func legalName(_ name: String) -> String {
    let legal = name.unicodeScalars.map { scalar -> Character in
        let isLegal =
            scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
        return isLegal ? Character(scalar) : "_"
    }
    let text = String(legal)
    return text.first?.isNumber ?? true ? "_" + text : text
}
