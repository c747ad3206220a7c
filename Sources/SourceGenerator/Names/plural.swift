/// More than one of what a name names, as English has it nearly always. A name that ends like a
/// plural stays as it is.
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
