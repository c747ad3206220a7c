/// Such as "no models", "1 model", "12 models".
func count(_ number: Int, _ noun: String) -> String {
    switch number {
    case 0: "no \(noun)s"
    case 1: "1 \(noun)"
    case _: "\(number) \(noun)s"
    }
}
