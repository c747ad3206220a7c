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
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var fileName: String { "\(rawValue).mustache" }

    private var bytes: [UInt8] {
        switch self {
        case .manifest: PackageResources.Package_swift_mustache
        case .readMe: PackageResources.README_md_mustache
        case .ignored: PackageResources.gitignore_mustache
        case .app: PackageResources.App_swift_mustache
        case .fields: PackageResources.App_fields_swift_mustache
        case .signIn: PackageResources.App_signIn_swift_mustache
        case .tests: PackageResources.AppTests_swift_mustache
        }
    }
}
