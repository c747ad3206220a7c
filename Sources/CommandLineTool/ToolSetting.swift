import ArgumentParser
import DefinitionCompiler

/// The declaration of a setting. The option's help, the accepted names in a settings file, and the
/// check of a value are derived from it.
struct ToolSetting<Value: Sendable>: Sendable {
    /// As in a settings file: `maxBodyBytes`.
    let name: String
    /// One or two sentences.
    let help: String
    let standard: Value
    /// The form of a value, as in "a whole number".
    let form: String
    /// The accepted values, for people; nil if all are.
    let values: String?
    /// The accepted values if they are words.
    fileprivate let choices: [String]
    /// The default, for people.
    let standardText: String
    fileprivate let takes: @Sendable (Value) -> Bool
}

extension ToolSetting<Int> {
    init(_ name: String, _ help: String, default standard: Int, in range: ClosedRange<Int>) {
        self.init(
            name: name, help: help, standard: standard, form: "a whole number",
            values: "\(range.lowerBound) to \(range.upperBound)", choices: [],
            standardText: "\(standard)", takes: range.contains)
    }
}

extension ToolSetting<String> {
    /// - Parameter standardText: The default for people, where it is an empty text.
    init(
        _ name: String, _ help: String, default standard: String, standardText: String? = nil
    ) {
        self.init(
            name: name, help: help, standard: standard, form: "a text", values: nil, choices: [],
            standardText: standardText ?? standard, takes: { _ in true })
    }

    init(_ name: String, _ help: String, default standard: String, oneOf choices: [String]) {
        self.init(
            name: name, help: help, standard: standard, form: "a text",
            values: choices.joined(separator: ", "), choices: choices, standardText: standard,
            takes: choices.contains)
    }
}

extension ToolSetting<Bool> {
    init(_ name: String, _ help: String, default standard: Bool) {
        self.init(
            name: name, help: help, standard: standard, form: "true or false",
            values: "true, false", choices: [], standardText: "\(standard)", takes: { _ in true })
    }
}

/// A setting with any type of value.
protocol AnySetting: Sendable {
    var name: String { get }
}

extension AnySetting {
    /// The name of its environment variable without the prefix `WAGGLE_`: `MAX_BODY_BYTES`.
    var variable: String { name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined() }
}

extension ToolSetting: AnySetting {}

extension ToolSetting {
    /// The name of its option without dashes: `max-body-bytes`.
    var option: NameSpecification.Element {
        .customLong(
            name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined())
    }

    /// The help with name, default and values.
    var argumentHelp: ArgumentHelp {
        let facts = ["setting: \(name)", "default: \(standardText)"] + (values.map { [$0] } ?? [])
        return ArgumentHelp("\(help) (\(facts.joined(separator: "; ")))")
    }

    /// Throws if the value is not accepted.
    func checked(_ value: Value) throws(ToolFailure) -> Value {
        guard takes(value) else {
            throw ToolFailure(
                .wrongUsage, "'\(name)' is \(quoted(value))",
                help: suggestion(for: value))
        }
        return value
    }

    /// The choice that is similar to a value that is not accepted, and all that are.
    private func suggestion(for value: Value) -> String? {
        let similar = (value as? String).flatMap { nearest(to: $0, in: choices) }
        let all = values.map { "use \($0)" }
        return similar.map { "did you mean '\($0)'? \(all ?? "")" } ?? all
    }

    private func quoted(_ value: Value) -> String {
        value is String ? "'\(value)'" : "\(value)"
    }
}

extension Option {
    init(_ setting: ToolSetting<Int>) where Value == Int? {
        self.init(name: [setting.option], help: setting.argumentHelp)
    }

    init(_ setting: ToolSetting<String>) where Value == String? {
        self.init(name: [setting.option], help: setting.argumentHelp)
    }
}

extension Flag where Value == Bool? {
    /// Adds a `--no-` option.
    init(_ setting: ToolSetting<Bool>) {
        self.init(
            name: [setting.option], inversion: .prefixedNo, help: setting.argumentHelp)
    }
}
