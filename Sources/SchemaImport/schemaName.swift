/// A name that a definition takes, made from another one: at most 40 ASCII letters, digits and `_`,
/// without a digit at the start. `reserved` are names that it may not be.
func schemaName(_ name: String, besides reserved: Set<String> = []) -> String {
    let legal = name.unicodeScalars.map { scalar -> Character in
        let isLegal =
            scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
        return isLegal ? Character(scalar) : "_"
    }
    var text = String(legal.prefix(36))
    if text.first?.isNumber ?? true { text = "_" + text }
    while reserved.contains(text) { text += "_" }
    return text
}
