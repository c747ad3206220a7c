import DefinitionModel

/// Warns of names that generated code does not have as they are.
func warn(
    ofNamesIn contents: Contents, as languages: [NamingRules], in document: Document,
    reportingTo findings: inout Findings
) {
    for language in languages {
        let models = contents.models.map { Named(name: $0.name, place: $0.place) }
        warn(of: models, by: language.models, of: language, in: document, reportingTo: &findings)
        for model in contents.models {
            guard !model.fields.allSatisfy({ language.fields.keeps($0.name) }) else { continue }
            let fields = model.fields.map { Named(name: $0.name, place: $0.place) }
            warn(
                of: fields, by: language.fields, of: language, in: document,
                reportingTo: &findings)
        }
    }
}

/// A model or a field.
private struct Named {
    let name: String
    let place: SourcePlace
}

private func warn(
    of all: [Named], by rule: NamingRule, of language: NamingRules, in document: Document,
    reportingTo findings: inout Findings
) {
    let names = CodeNames(of: all.map(\.name), by: rule)
    for named in all {
        guard let name = names[named.name] else { continue }
        let range = { document.range(of: "name", at: named.place) }
        let renaming = Renaming(
            language: language.language, noun: rule.noun, original: named.name, name: name)
        switch name.obstacle {
        case .taken:
            findings.warn(
                .nameTakenInCode(renaming, at: range(), remedy: rule.remedy(name.spelled)))
        case .nameOf(let other):
            findings.warn(
                .nameClashesInCode(
                    renaming, with: other, at: range(),
                    first: all.first { $0.name == other }.map {
                        document.range(of: "name", at: $0.place)
                    }))
        case nil: break
        }
        if name.written != name.name {
            findings.warn(.nameIsKeyword(renaming, at: range()))
        }
    }
}

/// What becomes of a name in code.
struct Renaming {
    let language: String
    /// What it is the name of there.
    let noun: String
    let original: String
    let name: CodeName
}
