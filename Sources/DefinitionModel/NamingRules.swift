/// How the names of a definition become those of generated code in one language. With it, whoever
/// checks a definition can say what its names will become, without knowing the language.
package struct NamingRules: Sendable {
    /// As people call it: "Swift".
    package let language: String
    /// Of all models, whose names become those of types.
    package let models: NamingRule
    /// Of the fields of one model, whose names become those of properties.
    package let fields: NamingRule

    package init(language: String, models: NamingRule, fields: NamingRule) {
        self.language = language
        self.models = models
        self.fields = fields
    }
}

/// How names of one kind become legal names of a language, each one of its own; see `CodeNames`.
package struct NamingRule: Sendable {
    /// What such a name is the name of there: "type".
    package let noun: String
    /// What else can be done about a name that is taken than to find another: "generate with a
    /// prefix".
    package let remedy: @Sendable (String) -> String?
    /// As the language spells the name, whatever else there is.
    let spelled: @Sendable (String) -> String
    /// Names that mean something else there.
    let taken: Set<String>
    /// Makes another name of one that is taken.
    let suffix: String
    /// The form in which two names must differ; nil where it is the name itself.
    let fold: (@Sendable (String) -> String)?
    /// Words of the language that are legal as names when they are written in a way of their own.
    let keywords: Set<String>
    /// That way.
    let quote: @Sendable (String) -> String
    /// All that are taken, and all keywords.
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
        special = taken.union(keywords)
    }

    /// Whether the name stays as it is and is written so, whatever others there are. That is told
    /// quicker than what names become.
    package func keeps(_ name: String) -> Bool {
        fold == nil && spelled(name) == name && !special.contains(name)
    }
}
