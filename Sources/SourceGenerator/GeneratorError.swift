/// The reason why the generator cannot be created.
package enum GeneratorError: Error, Hashable, Sendable {
    case unknownLanguage(String, known: [String])
    case illegalPrefix(String)
    case illegalProjectName(String)
    /// The name is that of a package that every project depends on.
    case takenProjectName(String)
    /// A template that does not parse, by its file name. Lines count from 1; nil if unknown.
    case brokenTemplate(String, line: Int?, reason: String)
    /// The language has no exact number for every value of a field of a definition.
    case inexactInteger(field: String, line: Int, language: String)
}

extension GeneratorError {
    /// The finding, for users.
    package var message: String {
        switch self {
        case .unknownLanguage(let name, _): "no language is named '\(name)'"
        case .illegalPrefix(let prefix): "'\(prefix)' cannot start the name of a type"
        case .illegalProjectName(let name): "'\(name)' cannot be the name of a package"
        case .takenProjectName(let name):
            "'\(name)' cannot be the name of a package: one that it needs is called so"
        case .brokenTemplate(let name, let line, let reason):
            "the template '\(name)' cannot be read"
                + (line.map { ", see line \($0)" } ?? "") + ": \(reason)"
        case .inexactInteger(let field, let line, let language):
            "'\(field)' in line \(line) takes integers that \(language) would round: only those "
                + "from -9007199254740991 to 9007199254740991 are exact there"
        }
    }

    /// The remedy.
    package var help: String {
        switch self {
        case .unknownLanguage(_, let known):
            "choose one of: " + known.map { "'\($0)'" }.joined(separator: ", ")
        case .illegalPrefix:
            "begin with one of A to Z, go on with letters A to Z of either case and digits, and "
                + "stop at \(Prefix.maxLength) of them: 'MMD'"
        case .illegalProjectName:
            "begin with one of A to Z or a to z, go on with such letters, digits and '_', and stop "
                + "at \(ProjectName.maxLength) of them: 'Notes'"
        case .takenProjectName: "choose another name"
        case .inexactInteger:
            "set 'minValue' and 'maxValue' to these bounds or closer ones, or make the field a "
                + "DECIMAL, whose values are texts there"
        case .brokenTemplate: "mend it; it is written in Mustache, see 'Templates/README.md'"
        }
    }
}
