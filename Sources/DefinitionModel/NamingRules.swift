/// The rules by which the names of a definition become names in generated code of one language.
/// They let the compiler report name conflicts without knowing the language.
package struct NamingRules: Sendable {
    /// For display, such as "Swift".
    package let language: String
    /// For models, whose names become type names.
    package let models: NamingRule
    /// For the fields of one model, whose names become property names.
    package let fields: NamingRule

    package init(language: String, models: NamingRule, fields: NamingRule) {
        self.language = language
        self.models = models
        self.fields = fields
    }
}

/// The rules by which names of one kind become legal, unique names of a language; see `CodeNames`.
package struct NamingRule: Sendable {
    /// The kind of a generated name, for messages, such as "type".
    package let noun: String
    /// An alternative to renaming a reserved name, such as "generate with a prefix".
    package let remedy: @Sendable (String) -> String?
    /// The spelling that the language gives the name, regardless of other names.
    let spelled: @Sendable (String) -> String
    /// Names that are reserved.
    let taken: Set<String>
    /// Appended to a reserved name.
    let suffix: String
    /// Names must be unique in this form; nil if they are compared as they are.
    let fold: (@Sendable (String) -> String)?
    /// Keywords of the language, which are legal as names when quoted.
    let keywords: Set<String>
    /// Quotes a keyword.
    let quote: @Sendable (String) -> String
    /// The reserved names, folded.
    let takenForms: Set<String>
    /// All reserved names and keywords.
    private let special: Set<String>

    package init(
        noun: String, taken: Set<String>, suffix: String,
        remedy: @escaping @Sendable (String) -> String? = { _ in nil },
        keywords: Set<String> = [],
        spelled: @escaping @Sendable (String) -> String,
        fold: (@Sendable (String) -> String)? = nil,
        quote: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.noun = noun
        self.remedy = remedy
        self.spelled = spelled
        self.taken = taken
        self.suffix = suffix
        self.fold = fold
        self.keywords = keywords
        self.quote = quote
        takenForms = fold.map { Set(taken.map($0)) } ?? taken
        special = taken.union(keywords)
    }

    /// Whether the name is kept and written as it is, whatever other names there are. Faster than
    /// computing all names.
    package func keeps(_ name: String) -> Bool {
        fold == nil && spelled(name) == name && !special.contains(name)
    }
}
