import DefinitionCompiler
import DefinitionModel
import SourceGenerator
import TestKit
import Testing

/// The compiler's warnings about names agree with the generated names.
@Suite struct NamingRulesTests {
    @Test(arguments: ["", "U", "MMD"])
    func warningsAboutClashingNamesMatchGeneratedNames(prefix: String) throws {
        let models = clashingNames().models.map { model in
            NamedModel(name: model.name, fields: model.fields.map(\.name).filter(isFree))
        }
        try expectTruth(of: models, prefix: prefix)
    }

    @Test(arguments: UInt64(0)..<100)
    func warningsAboutRandomNamesMatchGeneratedNames(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let models = pick(from: modelNames, using: &random).map {
            NamedModel(name: $0, fields: pick(from: fieldNames, using: &random))
        }
        try expectTruth(of: models, prefix: seed.isMultiple(of: 3) ? "U" : "")
    }

    /// A name without a warning has the spelling that it has on its own.
    private func expectTruth(of models: [NamedModel], prefix: String) throws {
        let rules = try Generator(language: "swift", prefix: prefix).namingRules
        let told = try WarnedNames(models, by: rules)
        let generated = try GeneratedNames(models, prefix: prefix)
        for (index, model) in models.enumerated() {
            let alone = CodeNames(of: [model.name], by: rules.models).name(of: model.name)
            let type = generated.types[index]
            #expect(told.types[model.name] ?? alone == type, "\(model.name)")
            for field in model.fields {
                let alone = CodeNames(of: [field], by: rules.fields).name(of: field)
                let property = generated.properties[index][field]
                #expect(told.properties[model.name]?[field] ?? alone == property, "\(field)")
            }
        }
    }

    @Test func prefixIsRemedyWhereItHelps() throws {
        let models = ["date", "record"].map { NamedModel(name: $0, fields: []) }
        let unprefixed = try Generator(language: "swift", prefix: "").namingRules
        let helps = try WarnedNames(models, by: unprefixed).helps
        #expect(helps["date"] == "rename it, or generate with a prefix")
        #expect(helps["record"] == "rename it, or generate with a prefix")
        let rules = try Generator(language: "swift", prefix: "MMD").namingRules
        #expect(try WarnedNames(models, by: rules).types == [:])
    }
}

private struct NamedModel {
    let name: String
    let fields: [String]
}

/// The compiler's warnings, parsed from their messages.
private struct WarnedNames {
    private(set) var types: [String: String] = [:]
    private(set) var properties: [String: [String: String]] = [:]
    private(set) var helps: [String: String] = [:]

    init(_ models: [NamedModel], by rules: NamingRules) throws {
        let source = SourceFile(name: "a", bytes: Array(document(of: models).utf8))
        for found in compile(source, naming: [rules]).diagnostics {
            let sentence = /in Swift the (type|property) of '(\w+)' is called '(`?\w+`?)', since .*/
            guard let match = found.message.wholeMatch(of: sentence) else { continue }
            let (_, noun, original, name) = match.output
            if noun == "type" {
                types[String(original)] = String(name)
                helps[String(original)] = found.help
            } else {
                let model = models[found.place.line / linesPerModel - 1].name
                properties[model, default: [:]][String(original)] = String(name)
            }
        }
    }
}

/// The generator's names.
private struct GeneratedNames {
    let types: [String]
    let properties: [[String: String]]

    init(_ models: [NamedModel], prefix: String) throws {
        let drafts = try generate(
            models.map { named in model(named.name, named.fields.map { field($0) }) },
            prefix: prefix
        ).dropLast()
        types = drafts.map { String($0.path.dropLast(".swift".count)) }
        properties = drafts.map { draft in
            let cases = draft.text.matches(of: /\n        case \\Self\.(\S+): \.field\("(\w+)"\)/)
            return Dictionary(
                uniqueKeysWithValues: cases.map { (String($0.output.2), String($0.output.1)) })
        }
    }
}

private let linesPerModel = 100

/// Each model begins at a line of its own hundred, and all its fields are on that line.
private func document(of models: [NamedModel]) -> String {
    let texts = models.map { model in
        let fields = model.fields.map { "<field name='\($0)' type='TEXT'/>" }.joined()
        return String(repeating: "\n", count: linesPerModel)
            + "<model name='\(model.name)'><fields>\(fields)</fields></model>"
    }
    return
        "<application application='a' vendor='v'><models>\(texts.joined())</models></application>"
}

/// Every record has these properties, so the compiler refuses them as fields.
private func isFree(_ field: String) -> Bool {
    !["guid", "owner", "group", "conflicted"].contains(field)
}

private func pick(from names: [String], using random: inout SplitMix64) -> [String] {
    names.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
}

private let modelNames = [
    "date", "Date", "DATE", "DateModel", "work_order", "workOrder", "WorkOrder", "WorkOrder2",
    "record", "string", "String", "StringModel", "_9lives", "Type", "URL", "RL", "url", "x", "_x",
]

private let fieldNames = [
    "id", "ID", "idField", "class", "Class", "_class", "default", "unit_price", "unitPrice",
    "UnitPrice", "unitPrice2", "URLPath", "urlPath", "hash", "init", "_", "field", "x", "_x", "X",
]
