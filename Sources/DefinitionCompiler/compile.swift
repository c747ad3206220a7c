package import DefinitionModel

/// Compiles an `application.xml`: the door of this room, and the whole way through it.
///
/// Never fails otherwise than with diagnostics, whatever the bytes, and takes time linear in
/// their number. Warnings and notes with an id that is allowed are left out. `naming` is of the
/// languages in which code may be generated: what they would call otherwise is warned of.
package func compile(
    _ source: SourceFile, within limits: CompilerLimits = CompilerLimits(),
    allowing allowed: Set<String> = [], naming languages: [NamingRules] = []
) -> Compilation {
    var findings = Findings(limit: limits.maxDiagnostics, allowed: allowed)
    let text = decode(source, within: limits, reportingTo: &findings)
    let meaning = understand(text, within: limits, reportingTo: &findings)
    if let meaning, !findings.hasErrors {
        reason(about: meaning.contents, in: meaning.document, reportingTo: &findings)
        warn(
            ofNamesIn: meaning.contents, as: languages, in: meaning.document,
            reportingTo: &findings)
    }
    return Compilation(of: meaning, findings, in: text)
}

/// Compiles a document that passed before: what is wrong by itself is found, how rights and names
/// go together is left alone.
///
/// So a definition that was deployed under an earlier compiler does not stand in the way of the
/// one that mends it.
package func recompile(
    _ source: SourceFile, within limits: CompilerLimits = .greatest
) -> Compilation {
    var findings = Findings(limit: limits.maxDiagnostics, allowed: [])
    let text = decode(source, within: limits, reportingTo: &findings)
    let meaning = understand(text, within: limits, reportingTo: &findings)
    return Compilation(of: meaning, findings, in: text)
}

/// What a document says, and where it says it.
private struct Meaning {
    let contents: Contents
    let document: Document
}

private func understand(
    _ text: SourceText, within limits: CompilerLimits, reportingTo findings: inout Findings
) -> Meaning? {
    let root = findings.hasErrors ? nil : parse(text, within: limits, reportingTo: &findings)
    return root.flatMap { verified($0, reportingTo: &findings) }.flatMap { application in
        check(application, in: text, reportingTo: &findings).map { contents in
            Meaning(contents: contents, document: Document(root: application, text: text))
        }
    }
}

extension Compilation {
    fileprivate init(of meaning: Meaning?, _ findings: Findings, in text: SourceText) {
        let sound = findings.hasErrors ? nil : meaning
        definition = sound.map { named($0.contents) }
        diagnostics = findings.diagnostics(in: text)
    }
}

/// A document as it came from a disk or a request.
package struct SourceFile: Hashable, Sendable {
    /// How people know it; stands at the start of each diagnostic.
    package let name: String
    /// In UTF-8 or UTF-16, with a byte-order mark or without, or in ISO-8859-1 if it says so.
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// What became of a document.
package struct Compilation: Hashable, Sendable {
    /// Nil exactly when a diagnostic is an error.
    package let definition: Definition?
    /// In the order of the document.
    package let diagnostics: [Diagnostic]
}
