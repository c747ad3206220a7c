import DefinitionModel

/// Warns of names that change in generated code.
func warn(
    ofNamesIn contents: DefinitionContents, as languages: [NamingRules], in document: Document,
    reportingTo collector: inout DiagnosticCollector
) {
    for language in languages {
        let models = contents.models.map { NamedDeclaration(name: $0.name, place: $0.place) }
        warn(of: models, by: language.models, of: language, in: document, reportingTo: &collector)
        for model in contents.models {
            guard !model.fields.allSatisfy({ language.fields.keeps($0.name) }) else { continue }
            let fields = model.fields.map { NamedDeclaration(name: $0.name, place: $0.place) }
            warn(
                of: fields, by: language.fields, of: language, in: document,
                reportingTo: &collector)
        }
    }
}

/// A model or a field.
private struct NamedDeclaration {
    let name: String
    let place: SourcePlace
}

private func warn(
    of all: [NamedDeclaration], by rule: NamingRule, of language: NamingRules,
    in document: Document,
    reportingTo collector: inout DiagnosticCollector
) {
    let names = CodeNames(of: all.map(\.name), by: rule)
    for named in all {
        guard let name = names[named.name] else { continue }
        let range = { document.range(of: "name", at: named.place) }
        let renaming = Renaming(
            language: language.language, noun: rule.noun, original: named.name, name: name)
        switch name.obstacle {
        case .taken:
            collector.warn(
                .nameTakenInCode(renaming, at: range(), remedy: rule.remedy(name.spelled)))
        case .nameOf(let other):
            collector.warn(
                .nameClashesInCode(
                    renaming, with: other, at: range(),
                    first: all.first { $0.name == other }.map {
                        document.range(of: "name", at: $0.place)
                    }))
        case nil: break
        }
        if name.written != name.name {
            collector.warn(.nameIsKeyword(renaming, at: range()))
        }
    }
}

/// The change of a name in generated code.
struct Renaming {
    let language: String
    /// The kind of the generated name.
    let noun: String
    let original: String
    let name: CodeName
}
