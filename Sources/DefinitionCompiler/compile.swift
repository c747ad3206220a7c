package import DefinitionModel

/// Compiles an `application.xml`. This is the entry point of the module.
///
/// Every failure is a diagnostic, whatever the input. The time is linear in the number of bytes.
/// Warnings and notes whose id is in `allowed` are suppressed. `languages` are the languages that
/// code may be generated in; names that change there are reported.
package func compile(
    _ source: SourceFile, within limits: CompilerLimits = CompilerLimits(),
    allowing allowed: Set<String> = [], naming languages: [NamingRules] = []
) -> Compilation {
    var collector = DiagnosticCollector(limit: limits.maxDiagnostics, allowed: allowed)
    let text = decode(source, within: limits, reportingTo: &collector)
    let checked = parseAndCheck(text, within: limits, reportingTo: &collector)
    if let checked, !collector.hasErrors {
        analyzeRights(of: checked.contents, in: checked.document, reportingTo: &collector)
        warn(
            ofNamesIn: checked.contents, as: languages, in: checked.document,
            reportingTo: &collector)
        warn(
            ofParseNamesIn: checked.contents, in: checked.document, reportingTo: &collector)
    }
    return Compilation(of: checked, collector, in: text)
}

/// Compiles a document that was accepted before: reports errors, but does not analyze rights and
/// names.
///
/// A definition that was deployed under an earlier compiler can therefore be loaded, and replaced
/// by a corrected one.
package func recompile(
    _ source: SourceFile, within limits: CompilerLimits = .greatest
) -> Compilation {
    var collector = DiagnosticCollector(limit: limits.maxDiagnostics, allowed: [])
    let text = decode(source, within: limits, reportingTo: &collector)
    let checked = parseAndCheck(text, within: limits, reportingTo: &collector)
    return Compilation(of: checked, collector, in: text)
}

/// The contents of a document, with the document for looking up places.
private struct CheckedDocument {
    let contents: DefinitionContents
    let document: Document
}

private func parseAndCheck(
    _ text: SourceText, within limits: CompilerLimits,
    reportingTo collector: inout DiagnosticCollector
) -> CheckedDocument? {
    let root = collector.hasErrors ? nil : parse(text, within: limits, reportingTo: &collector)
    return root.flatMap { validated($0, reportingTo: &collector) }.flatMap { application in
        check(application, in: text, reportingTo: &collector).map { contents in
            CheckedDocument(contents: contents, document: Document(root: application, text: text))
        }
    }
}

extension Compilation {
    fileprivate init(
        of checked: CheckedDocument?, _ collector: DiagnosticCollector, in text: SourceText
    ) {
        let sound = collector.hasErrors ? nil : checked
        definition = sound.map { named($0.contents) }
        diagnostics = collector.diagnostics(in: text)
    }
}

/// A document as read from a disk or a request.
package struct SourceFile: Hashable, Sendable {
    /// The name for display; it starts each diagnostic.
    package let name: String
    /// In UTF-8 or UTF-16, with or without a byte-order mark, or in ISO-8859-1 if declared.
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// The result of compiling a document.
package struct Compilation: Hashable, Sendable {
    /// Nil if and only if a diagnostic is an error.
    package let definition: Definition?
    /// In document order.
    package let diagnostics: [Diagnostic]
}
