/// A language that models are generated in: a folder beside this file.
///
/// The folder's files are embedded, so the tool carries its templates wherever it is installed.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case swift
}

extension Language {
    /// The words of this language, as Mustache.
    package var templates: TemplateTexts {
        switch self {
        case .swift:
            TemplateTexts(
                model: PackageResources.model_swift_mustache,
                support: PackageResources.support_swift_mustache)
        }
    }
}

/// The templates of one language. What each may see stands in `Templates/README.md`.
package struct TemplateTexts: Hashable, Sendable {
    /// Rendered once for each model.
    package let model: String
    /// Rendered once for each definition: what all generated models need.
    package let support: String

    init(model: [UInt8], support: [UInt8]) {
        self.model = String(decoding: model, as: UTF8.self)
        self.support = String(decoding: support, as: UTF8.self)
    }
}
