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
    let root = findings.hasErrors ? nil : parse(text, within: limits, reportingTo: &findings)
    let application = root.flatMap { verified($0, reportingTo: &findings) }
    let contents = application.flatMap { check($0, in: text, reportingTo: &findings) }
    if let application, let contents, !findings.hasErrors {
        let document = Document(root: application, text: text)
        reason(about: contents, in: document, reportingTo: &findings)
        warn(ofNamesIn: contents, as: languages, in: document, reportingTo: &findings)
    }
    let checked = findings.hasErrors ? nil : contents
    return Compilation(
        definition: checked.map(named),
        diagnostics: findings.diagnostics(in: text))
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
