package import DefinitionModel
import Mustache
import Templates

/// Writes models in one language, with one prefix.
///
/// What can be wrong about language, prefix and templates is found when one is made; after that,
/// every definition gives drafts, and the same one always the same bytes.
package struct Generator: Sendable {
    private let language: Language
    private let prefix: Prefix
    private let model: MustacheTemplate
    private let support: MustacheTemplate

    /// Takes the name of a language, see `languages`. The prefix starts the name of every type, so
    /// that two definitions can live in one program; it may be empty.
    package init(language: String, prefix: String) throws(GeneratorError) {
        guard let known = Language(rawValue: language) else {
            throw .unknownLanguage(language, known: Self.languages)
        }
        self.language = known
        self.prefix = try Prefix(prefix)
        self.model = try parse(known.templates.model, named: "\(language)/model")
        self.support = try parse(known.templates.support, named: "\(language)/support")
    }

    /// Their names: those of the folders under `Templates/`.
    package static let languages = Language.allCases.map(\.rawValue)

    /// What this generator makes of the names of a definition.
    package var namingRules: NamingRules { language.namingRules(prefix: prefix) }

    /// The same of a generator for each language, without a prefix.
    package static let namingRules = Language.allCases.map { $0.namingRules(prefix: .none) }

    /// A file for each model, in the order of the definition, then one for what they share.
    package func generate(_ definition: Definition) -> [SourceDraft] {
        switch language {
        case .swift: swiftDrafts(of: SwiftViews(definition, prefix: prefix))
        }
    }

    private func swiftDrafts(of views: SwiftViews) -> [SourceDraft] {
        let drafts = views.models.map { view in
            SourceDraft(path: "\(view.typeName).swift", text: fit(model.render(view)))
        }
        let path = "\(views.support.support.record).swift"
        return drafts + [SourceDraft(path: path, text: fit(support.render(views.support)))]
    }
}

extension Language {
    fileprivate func namingRules(prefix: Prefix) -> NamingRules {
        switch self {
        case .swift: .swift(prefix: prefix)
        }
    }
}

private func parse(
    _ template: String, named name: String
) throws(GeneratorError) -> MustacheTemplate {
    do {
        return try MustacheTemplate(string: template)
    } catch {
        throw .brokenTemplate(name, reason: "\(error)")
    }
}
