/// Compares texts as SQLite does; `==` also equates canonically equivalent texts.
func hasSameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
