/// The path and text of a generated file, to be written by the caller.
package struct SourceDraft: Hashable, Sendable {
    /// Relative to the folder for generated code.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}
