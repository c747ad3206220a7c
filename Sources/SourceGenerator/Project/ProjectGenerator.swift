package import DefinitionModel
import Mustache
import Templates

/// Generates a package that is ready to build and run: an app with the records of a definition.
///
/// The initializer checks the names. After that, generation cannot fail.
package struct ProjectGenerator: Sendable {
    private let name: ProjectName
    private let prefix: Prefix
    /// Nil if none was given.
    private let classPrefix: Prefix?
    private let library: LibraryLocation
    private let templates: [(template: ProjectTemplate, text: MustacheTemplate)]

    /// `name` is the name of the package and its program. The prefix starts the name of every
    /// model's type, and the class prefix that of the app's own types and of the constant with the
    /// definition; both may be empty. Without a class prefix, the app's own types have none, and
    /// the constant has the prefix of the models.
    package init(
        name: String, prefix: String, classPrefix: String? = nil, library: LibraryLocation
    ) throws(GeneratorError) {
        self.name = try ProjectName(name, library: library)
        self.prefix = try Prefix(prefix)
        self.classPrefix = try classPrefix.map(Prefix.init)
        self.library = library
        var templates: [(template: ProjectTemplate, text: MustacheTemplate)] = []
        for template in ProjectTemplate.allCases {
            templates.append((template, try parse(template.text, named: template.fileName)))
        }
        self.templates = templates
    }

    /// The naming rules for the types of the project's models.
    package var namingRules: NamingRules { .swift(prefix: prefix) }

    package func generate(_ definition: Definition) -> Project {
        let dialect = Dialect.swift(prefix: prefix)
        let models = DefinitionView(
            definition, compiled: "", prefix: classPrefix ?? prefix, dialect: dialect)
        let view = ProjectView(
            definition, named: name, prefix: classPrefix ?? .none, library: library, view: models,
            dialect: dialect)
        let sources = "Sources/\(view.module)"
        let drafts = templates.map { template, text in
            draft(template, text.render(view), of: view)
        }
        let settings = settings.map { SourceDraft(path: "\(sources)/waggle.json", text: $0) }
        return Project(
            drafts: drafts + (settings.map { [$0] } ?? []),
            definitionPath: "\(sources)/application.xml")
    }

    /// The settings for the builds of the project; nil if there are none.
    private var settings: String? {
        let models = prefix == .none ? nil : "\"prefix\": \"\(prefix.text)\""
        let classes = classPrefix.map { "\"classPrefix\": \"\($0.text)\"" }
        let all = [models, classes].compactMap(\.self)
        return all.isEmpty ? nil : "{\(all.joined(separator: ", "))}\n"
    }

    private func draft(
        _ template: ProjectTemplate, _ text: String, of view: ProjectView
    ) -> SourceDraft {
        let (path, isCode) =
            switch template {
            case .manifest: ("Package.swift", false)
            case .readMe: ("README.md", false)
            case .ignored: (".gitignore", false)
            case .app: ("Sources/\(view.module)/App.swift", true)
            case .fields: ("Sources/\(view.module)/App+fields.swift", true)
            case .signIn: ("Sources/\(view.module)/App+signIn.swift", true)
            case .tests: ("Tests/\(view.tests)/\(view.tests).swift", true)
            }
        return SourceDraft(path: path, text: isCode ? wrapLines(text) : text)
    }
}

/// The files of a package, to be written by the caller.
package struct Project: Hashable, Sendable {
    package let drafts: [SourceDraft]
    /// The path for the definition, unchanged: builds of the project generate its models from it.
    package let definitionPath: String
}
