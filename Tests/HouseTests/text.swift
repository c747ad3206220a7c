/// A Swift file with this code.
func text(_ code: String, path: String = "Sources/Records/a.swift") -> SourceText {
    SourceText(path: path, code)
}
