import DefinitionModel

/// Messages about names that change in generated code.
extension Problem {
    static func nameTakenInCode(
        _ renaming: Renaming, at range: Range<Int>, remedy: String?
    ) -> Problem {
        .warning(
            "\(renaming.sentence) \(quoted(renaming.name.name)), since "
                + "\(quoted(renaming.name.spelled)) is reserved there",
            at: range, help: "rename it, or \(remedy ?? "call it so in code")")
    }

    static func nameClashesInCode(
        _ renaming: Renaming, with other: String, at range: Range<Int>, first: Range<Int>?
    ) -> Problem {
        .warning(
            "\(renaming.sentence) \(quoted(renaming.name.name)), since "
                + "\(quoted(renaming.name.spelled)) would conflict with that of \(quoted(other))",
            at: range, help: "rename one of them",
            related: first.map { [RelatedRange(range: $0, message: "the other one is here")] }
                ?? [])
    }

    static func nameIsKeyword(_ renaming: Renaming, at range: Range<Int>) -> Problem {
        .warning(
            "\(renaming.sentence) \(quoted(renaming.name.written)), since "
                + "\(quoted(renaming.name.name)) is a keyword there",
            at: range, help: "rename it, or write it that way where the compiler requires it")
    }
}

extension Renaming {
    /// Such as "in Swift the property of 'class' is called".
    fileprivate var sentence: String {
        "in \(language) the \(noun) of \(quoted(original)) is called"
    }
}
