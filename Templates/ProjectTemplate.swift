/// What a new package consists of, beside its definition: the files of the folder `project`.
package enum ProjectTemplate: String, Hashable, Sendable, CaseIterable {
    case manifest = "Package.swift"
    case readMe = "README.md"
    case ignored = "gitignore"
    /// What the app does.
    case app = "App.swift"
    /// How fields are written on a command line.
    case fields = "App+fields.swift"
    /// Who somebody is, and where the server.
    case signIn = "App+signIn.swift"
    case tests = "AppTests.swift"
}

extension ProjectTemplate {
    /// As Mustache. What it may see stands in `Templates/README.md`.
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
