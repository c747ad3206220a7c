/// A schema that cannot be read.
package struct SchemaImportError: Error, Hashable, Sendable {
    /// The fault, for people: "the schema has no 'results'".
    package let message: String
    /// The remedy, for people.
    package let help: String

    package init(_ message: String, help: String) {
        self.message = message
        self.help = help
    }
}
