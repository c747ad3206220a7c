package import DefinitionModel
import Mustache
package import Templates

/// Writes models in one language, with one prefix.
///
/// What can be wrong about language, prefix and templates is found when one is made; after that,
/// every definition gives drafts, and the same one always the same bytes.
package struct Generator: Sendable {
    private let dialect: Dialect
    private let prefix: Prefix
    private let header: MustacheTemplate
    private let model: MustacheTemplate
    private let shared: MustacheTemplate

    /// Takes the name of a language, see `languages`. The prefix starts the name of every type, so
    /// that two definitions can live in one program; it may be empty. Other templates than our own
    /// see what ours do.
    package init(
        language: String, prefix: String, templates: TemplateTexts? = nil
    ) throws(GeneratorError) {
        let known = try Language(named: language)
        self.prefix = try Prefix(prefix)
        self.dialect = known.dialect(prefix: self.prefix)
        let templates = templates ?? known.templates
        self.header = try parse(templates.header, named: known.fileName(of: .header))
        self.model = try parse(templates.model, named: known.fileName(of: .model))
        self.shared = try parse(templates.definition, named: known.fileName(of: .definition))
    }

    /// Their names: those of the folders under `Templates/`.
    package static let languages = Language.allCases.map(\.rawValue)

    /// What this generator makes of the names of a definition.
    package var namingRules: NamingRules { dialect.naming }

    /// The same of a generator in the language of the library, without a prefix.
    package static let namingRules = [Language.swift.dialect(prefix: .none).naming]

    /// What the names of the language's files end with, such as `.swift`.
    package var fileSuffix: String { ".\(dialect.fileEnding)" }

    /// A file for each model, in the order of the definition, then one for what they share. Takes
    /// the definition also as `waggle compile` writes it.
    package func generate(_ definition: Definition, compiled json: String) -> [SourceDraft] {
        let parts = parts(of: definition, compiled: json)
        return parts.bodies.map { path, body in
            SourceDraft(path: path, text: dialect.layout(parts.header + "\n" + body))
        }
    }

    /// The same in one file, for those who must know its name before they know the models.
    package func generateOneFile(
        _ definition: Definition, compiled json: String, path: String
    ) -> SourceDraft {
        let parts = parts(of: definition, compiled: json)
        let texts = [parts.header] + parts.bodies.map(\.text)
        return SourceDraft(path: path, text: dialect.layout(texts.joined(separator: "\n")))
    }

    private func parts(
        of definition: Definition, compiled json: String
    ) -> (header: String, bodies: [(path: String, text: String)]) {
        let view = DefinitionView(definition, compiled: json, prefix: prefix, dialect: dialect)
        let models = view.models.map { view in
            (path: view.typeName + fileSuffix, text: model.render(view))
        }
        let path = dialect.sharedPath(view.constantName)
        return (header.render(view), models + [(path: path, text: shared.render(view))])
    }
}

extension Language {
    /// The one of that name.
    package init(named name: String) throws(GeneratorError) {
        guard let known = Language(rawValue: name) else {
            throw .unknownLanguage(name, known: Generator.languages)
        }
        self = known
    }

    fileprivate func dialect(prefix: Prefix) -> Dialect {
        switch self {
        case .swift: .swift(prefix: prefix)
        case .typescript: .typeScript(prefix: prefix)
        }
    }
}

func parse(
    _ template: String, named name: String
) throws(GeneratorError) -> MustacheTemplate {
    do {
        return try MustacheTemplate(string: template)
    } catch let error as MustacheTemplate.ParserError {
        throw .brokenTemplate(
            name, line: error.context.lineNumber, reason: reason(for: error.error))
    } catch {
        throw .brokenTemplate(name, line: nil, reason: "\(error)")
    }
}

/// In words, where the parser says it in a word of its own.
private func reason(for error: any Error) -> String {
    switch error as? MustacheTemplate.Error {
    case .sectionCloseNameIncorrect?: "a section is closed that is not the open one"
    case .expectedSectionEnd?: "a section is not closed"
    case .unfinishedName?: "a name is not closed"
    case .invalidSetDelimiter?: "these are no delimiters"
    case .invalidConfigVariableSyntax?: "the setting is not written as '% NAME:VALUE'"
    case .unrecognisedConfigVariable?: "no setting is named so"
    case .transformAppliedToInheritanceSection?, .illegalTokenInsideInheritSection?,
        .textInsideInheritSection?:
        "this cannot stand in a template that inherits"
    case nil: "it ends too early"
    }
}
