import DefinitionModel

/// Such as "no models", "1 model", "12 models".
func count(_ number: Int, _ noun: String) -> String {
    number == 0 ? "no \(noun)s" : counted(number, noun)
}
