import DefinitionModel

/// The sentences about names that generated code does not have as they are.
extension Problem {
    static func nameTakenInCode(
        _ renaming: Renaming, at range: Range<Int>, remedy: String?
    ) -> Problem {
        .warning(
            "\(renaming.sentence) \(quoted(renaming.name.name)), since "
                + "\(quoted(renaming.name.spelled)) means something else there",
            at: range, help: "rename it, or \(remedy ?? "call it so in code")")
    }

    static func nameClashesInCode(
        _ renaming: Renaming, with other: String, at range: Range<Int>, first: Range<Int>?
    ) -> Problem {
        .warning(
            "\(renaming.sentence) \(quoted(renaming.name.name)), since "
                + "\(quoted(renaming.name.spelled)) would clash with that of \(quoted(other))",
            at: range, help: "rename one of them",
            related: first.map { [RelatedRange(range: $0, message: "the other one is here")] }
                ?? [])
    }

    static func nameIsKeyword(_ renaming: Renaming, at range: Range<Int>) -> Problem {
        .warning(
            "\(renaming.sentence) \(quoted(renaming.name.written)), since "
                + "\(quoted(renaming.name.name)) is a word of the language",
            at: range, help: "rename it, or write it so where the compiler asks for it")
    }
}

extension Renaming {
    /// "in Swift the property of 'class' is called"
    fileprivate var sentence: String {
        "in \(language) the \(noun) of \(quoted(original)) is called"
    }
}
