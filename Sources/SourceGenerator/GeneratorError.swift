/// The reason why the generator cannot be created.
package enum GeneratorError: Error, Hashable, Sendable {
    case unknownLanguage(String, known: [String])
    case illegalPrefix(String)
    case illegalProjectName(String)
    /// The name is that of a package that every project depends on.
    case takenProjectName(String)
    /// A template that does not parse, by its file name. Lines count from 1; nil if unknown.
    case brokenTemplate(String, line: Int?, reason: String)
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
        case .brokenTemplate: "mend it; it is written in Mustache, see 'Templates/README.md'"
        }
    }
}
