import ArgumentParser
import ChangeRules
import DefinitionModel
import JSON

/// The values that a deployment brings to stored records.
struct FillOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A value for records whose own value the definition does not allow; can be repeated.",
            valueName: "model.field=value"))
    var fill: [String] = []

    @Option(
        help: ArgumentHelp(
            "The same with the value of another field of the record; can be repeated.",
            valueName: "model.field=other"))
    var fillFrom: [String] = []

    @Option(
        help: ArgumentHelp(
            "The same with the default of the field; can be repeated.", valueName: "model.field"))
    var fillDefault: [String] = []

    func validate() throws {
        for text in fill + fillFrom where FillTarget(text)?.value == nil {
            throw ValidationError("'\(text)' is no fill rule; write it as Film.score=3")
        }
        for text in fillDefault where FillTarget(text).map({ $0.value != nil }) ?? true {
            throw ValidationError("'\(text)' names no field; write it as Film.score")
        }
        guard fill.count + fillFrom.count + fillDefault.count <= FillRule.most else {
            throw ValidationError("a deployment has at most \(FillRule.most) fill rules")
        }
    }

    /// The rules. A value that is none of the field's type, or whose field there is not, is kept as
    /// a text, which the deployment refuses.
    func rules(for definition: Definition) -> [FillRule] {
        let constants = fill.compactMap(FillTarget.init).map {
            $0.rule(.constant(.string($0.value ?? ""))).readingText(for: definition)
        }
        let copies = fillFrom.compactMap(FillTarget.init).map { $0.rule(.field($0.value ?? "")) }
        let defaults = fillDefault.compactMap(FillTarget.init).map { $0.rule(.defaultValue) }
        return constants + copies + defaults
    }
}

/// `Film.score`, or `Film.score=3`.
private struct FillTarget {
    let model: String
    let field: String
    let value: String?

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = (sides.first ?? "").split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
        model = String(names[0])
        field = String(names[1])
        value = sides.count == 2 ? String(sides[1]) : nil
    }

    func rule(_ source: FillRule.Source) -> FillRule {
        FillRule(model: model, field: field, source: source)
    }
}
