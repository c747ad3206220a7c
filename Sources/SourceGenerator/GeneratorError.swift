/// Why nothing can be generated.
package enum GeneratorError: Error, Hashable, Sendable {
    case unknownLanguage(String, known: [String])
    case illegalPrefix(String)
    /// A fault of ours: the templates are part of the tool.
    case brokenTemplate(String, reason: String)
}

extension GeneratorError {
    /// What was found, for people.
    package var message: String {
        switch self {
        case .unknownLanguage(let name, _): "no language is named '\(name)'"
        case .illegalPrefix(let prefix): "'\(prefix)' cannot start the name of a type"
        case .brokenTemplate(let name, let reason):
            "the template '\(name)' cannot be read: \(reason)"
        }
    }

    /// What to do.
    package var help: String {
        switch self {
        case .unknownLanguage(_, let known):
            "choose one of: " + known.map { "'\($0)'" }.joined(separator: ", ")
        case .illegalPrefix:
            "begin with one of A to Z, go on with letters A to Z of either case and digits, and "
                + "stop at \(Prefix.maxLength) of them: 'MMD'"
        case .brokenTemplate: "mend it in the folder 'Templates' and build the tool again"
        }
    }
}
