/// The regular English plural. A name that looks like a plural is returned as it is.
func plural(_ name: String) -> String {
    let ending = name.lowercased()
    if ["ss", "us", "is", "x", "ch", "sh"].contains(where: ending.hasSuffix) { return name + "es" }
    if ending.hasSuffix("s") { return name }
    let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
    let beforeLast = ending.dropLast().last
    if ending.hasSuffix("y"), let beforeLast, beforeLast.isLetter, !vowels.contains(beforeLast) {
        return name.dropLast() + "ies"
    }
    return name + "s"
}
