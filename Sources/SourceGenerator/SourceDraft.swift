/// A file to be written by whoever has a disk.
package struct SourceDraft: Hashable, Sendable {
    /// Relative to the folder that people choose for generated code.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}
