package import DefinitionModel
import Mustache
package import Templates

/// Generates models in one language, with the prefixes of names.
///
/// The initializer checks language, prefixes and templates. After that, generation cannot fail, and
/// the same definition always gives the same bytes.
package struct Generator: Sendable {
    private let dialect: Dialect
    private let classPrefix: Prefix
    private let header: MustacheTemplate
    private let model: MustacheTemplate
    private let shared: MustacheTemplate

    /// `name` is one of `languages`. The prefix starts the name of every model's type, so that two
    /// definitions can be part of one program; it may be empty. The class prefix starts the name
    /// of the constant with the definition; nil means the prefix of the models. Custom templates
    /// get the same values as the built-in ones.
    package init(
        language: String, prefix: String, classPrefix: String? = nil,
        templates: TemplateTexts? = nil
    ) throws(GeneratorError) {
        let known = try Language(named: language)
        let models = try Prefix(prefix)
        self.classPrefix = try classPrefix.map(Prefix.init) ?? models
        self.dialect = known.dialect(prefix: models)
        let templates = templates ?? known.templates
        self.header = try parse(templates.header, named: known.fileName(of: .header))
        self.model = try parse(templates.model, named: known.fileName(of: .model))
        self.shared = try parse(templates.definition, named: known.fileName(of: .definition))
    }

    /// The names of the languages, which are the folders in `Templates/`.
    package static let languages = Language.allCases.map(\.rawValue)

    /// The naming rules for the names of a definition.
    package var namingRules: NamingRules { dialect.naming }

    /// The naming rules for the library's language, without a prefix.
    package static let namingRules = [Language.swift.dialect(prefix: .none).naming]

    /// The suffix of file names, such as `.swift`.
    package var fileSuffix: String { ".\(dialect.fileEnding)" }

    /// Throws if the language has no exact number for every value of an integer field.
    package func check(_ definition: Definition) throws(GeneratorError) {
        guard let most = dialect.maxInteger else { return }
        for model in definition.models {
            for field in model.fields where !field.type.isExact(within: most) {
                throw .inexactInteger(
                    field: "\(model.name).\(field.name)", line: field.place.line,
                    language: dialect.naming.language)
            }
        }
    }

    /// Generates one file for each model, in the order of the definition, and one with shared
    /// declarations. `json` is the compiled definition, in any layout.
    package func generate(_ definition: Definition, compiled json: String) -> [SourceDraft] {
        let parts = parts(of: definition, compiled: json)
        return parts.bodies.map { path, body in
            SourceDraft(path: path, text: dialect.layout(parts.header + "\n" + body))
        }
    }

    /// Generates a single file, for callers that must know the file's name in advance.
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
        let view = DefinitionView(definition, compiled: json, prefix: classPrefix, dialect: dialect)
        let models = view.models.map { view in
            (path: view.typeName + fileSuffix, text: model.render(view))
        }
        let path = dialect.sharedPath(view.constantName)
        return (header.render(view), models + [(path: path, text: shared.render(view))])
    }
}

extension FieldType {
    /// Whether no integer of the field has a greater magnitude.
    fileprivate func isExact(within most: Int64) -> Bool {
        guard case .integer(let limits) = self else { return true }
        let values =
            limits.allowedValues.isEmpty
            ? [limits.minValue, limits.maxValue] : limits.allowedValues
        return values.allSatisfy { (-most...most).contains($0) }
    }
}

extension Language {
    /// The language with that name.
    package init(named name: String) throws(GeneratorError) {
        guard let known = Language(rawValue: name) else {
            throw .unknownLanguage(name, known: Generator.languages)
        }
        self = known
    }

    func dialect(prefix: Prefix) -> Dialect {
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

/// A readable message of the template parser's error.
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
