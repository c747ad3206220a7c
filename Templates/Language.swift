import Texts

/// A language that models are generated in: a folder beside this file.
///
/// The files of the folder are embedded, so the tool includes its templates wherever it is
/// installed.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case swift, typescript
}

extension Language {
    /// The Mustache templates of the language.
    package var templates: TemplateTexts {
        TemplateTexts(
            header: text(of: .header), model: text(of: .model), definition: text(of: .definition))
    }

    private func text(of part: TemplatePart) -> String {
        embeddedText(at: "Templates/\(rawValue)/\(fileName(of: part))")
    }

    /// The file name of a template of this language, in any folder.
    package func fileName(of part: TemplatePart) -> String {
        switch self {
        case .swift: "\(part.rawValue).swift.mustache"
        case .typescript: "\(part.rawValue).ts.mustache"
        }
    }
}

/// The purpose of a template.
package enum TemplatePart: String, Hashable, Sendable, CaseIterable {
    /// The start of every file.
    case header
    /// The type of a model.
    case model
    /// Shared declarations.
    case definition
}

/// The templates of one language. `Templates/README.md` documents their values.
package struct TemplateTexts: Hashable, Sendable {
    /// Rendered once for each file.
    package let header: String
    /// Rendered once for each model.
    package let model: String
    /// Rendered once for each definition.
    package let definition: String

    package init(header: String, model: String, definition: String) {
        self.header = header
        self.model = model
        self.definition = definition
    }
}
