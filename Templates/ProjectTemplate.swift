import Texts

/// The files of a new package, beside its definition: those in the folder `project`.
package enum ProjectTemplate: String, Hashable, Sendable, CaseIterable {
    case manifest = "Package.swift"
    case readMe = "README.md"
    case ignored = "gitignore"
    /// The commands of the app.
    case app = "App.swift"
    /// Parsing of fields on a command line.
    case fields = "App+fields.swift"
    /// Signing in, and the address of the server.
    case signIn = "App+signIn.swift"
    case tests = "AppTests.swift"
}

extension ProjectTemplate {
    /// In Mustache. `Templates/README.md` documents the values.
    package var text: String { embeddedText(at: "Templates/project/\(fileName)") }

    package var fileName: String { "\(rawValue).mustache" }
}
