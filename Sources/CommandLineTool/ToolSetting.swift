import ArgumentParser

/// A setting: its name, its help, its default and the values it takes. The help of its option, the
/// names that a file of settings may have, and the check of a value all come from here.
struct ToolSetting<Value: Sendable>: Sendable {
    /// As in a file of settings: `maxBodyBytes`.
    let name: String
    /// One or two sentences.
    let help: String
    let standard: Value
    /// Which values it takes, in words; nil where any will do.
    let values: String?
    /// The default in words.
    let standardText: String
    fileprivate let takes: @Sendable (Value) -> Bool
}

extension ToolSetting<Int> {
    init(_ name: String, _ help: String, default standard: Int, in range: ClosedRange<Int>) {
        self.init(
            name: name, help: help, standard: standard,
            values: "\(range.lowerBound) to \(range.upperBound)", standardText: "\(standard)",
            takes: range.contains)
    }
}

extension ToolSetting<String> {
    /// - Parameter standardText: The default in words, where it is an empty text.
    init(
        _ name: String, _ help: String, default standard: String, standardText: String? = nil
    ) {
        self.init(
            name: name, help: help, standard: standard, values: nil,
            standardText: standardText ?? standard, takes: { _ in true })
    }

    init(_ name: String, _ help: String, default standard: String, oneOf choices: [String]) {
        self.init(
            name: name, help: help, standard: standard, values: choices.joined(separator: ", "),
            standardText: standard, takes: choices.contains)
    }
}

extension ToolSetting<Bool> {
    init(_ name: String, _ help: String, default standard: Bool) {
        self.init(
            name: name, help: help, standard: standard, values: "true, false",
            standardText: "\(standard)", takes: { _ in true })
    }
}

/// Some setting, whatever its values are.
protocol AnySetting: Sendable {
    var name: String { get }
}

extension ToolSetting: AnySetting {}

extension ToolSetting {
    /// Its option without the dashes: `max-body-bytes`.
    var option: NameSpecification.Element {
        .customLong(
            name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined())
    }

    /// Its help with name, default and values.
    var argumentHelp: ArgumentHelp {
        let facts = ["setting: \(name)", "default: \(standardText)"] + (values.map { [$0] } ?? [])
        return ArgumentHelp("\(help) (\(facts.joined(separator: "; ")))")
    }

    /// Throws for a value that it does not take.
    func checked(_ value: Value) throws(ToolFailure) -> Value {
        guard takes(value) else {
            throw ToolFailure(
                .wrongUsage, "'\(name)' is \(quoted(value))",
                help: values.map { "use \($0)" })
        }
        return value
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
    /// With a `--no-` option beside it.
    init(_ setting: ToolSetting<Bool>) {
        self.init(
            name: [setting.option], inversion: .prefixedNo, help: setting.argumentHelp)
    }
}
