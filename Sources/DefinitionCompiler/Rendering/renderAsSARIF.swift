import DefinitionModel

/// The report in SARIF 2.1.0, the exchange format of code scanners, with a final newline.
///
/// `version` is that of the calling program, such as `1.2.3`. A relative file name stays relative.
package func renderAsSARIF(_ report: CheckReport, version: String) -> String {
    json(SARIFLog(runs: [SARIFRun(report, version: version)]))
}

extension SARIFRun {
    init(_ report: CheckReport, version: String) {
        let ids = Set(report.diagnostics.map(\.id))
        let pages = DiagnosticPage.all.filter { ids.contains($0.id) }
        let ruleIndices = Dictionary(
            pages.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: min)
        tool = SARIFTool(
            driver: SARIFDriver(
                name: "waggle", version: version, semanticVersion: version,
                rules: pages.map(SARIFRule.init)))
        invocations = [SARIFInvocation(report)]
        artifacts = report.documents.map(SARIFArtifact.init)
        results = report.documents.enumerated().flatMap { index, document in
            document.compilation.diagnostics.map { diagnostic in
                SARIFResult(
                    diagnostic, ruleIndex: ruleIndices[diagnostic.id] ?? noIndex,
                    in: SARIFArtifactLocation(document.source.name, index: index))
            }
        }
    }
}

/// The value that the standard uses for a missing index.
private let noIndex = -1

extension SARIFRule {
    init(_ page: DiagnosticPage) {
        let summary = plainText(page.summary)
        let explanation = page.text.split(separator: "\n\n").first.map { String($0) } ?? ""
        id = page.id
        shortDescription = SARIFMessage(text: summary)
        fullDescription = SARIFMessage(
            text: plainText(explanation.replacing("\n", with: " ")))
        help = SARIFHelp(
            text: "\(summary)\n\n\(plainText(page.text))",
            markdown: "\(page.summary)\n\n\(page.text)")
        defaultConfiguration = SARIFConfiguration(level: page.severity.rawValue)
    }
}

extension SARIFInvocation {
    init(_ report: CheckReport) {
        executionSuccessful = report.unreadable.isEmpty
        toolExecutionNotifications = report.unreadable.map { document in
            SARIFNotification(
                level: "error", message: SARIFMessage(text: document.message),
                locations: [
                    SARIFNotification.Location(
                        physicalLocation: SARIFNotification.PhysicalLocation(
                            artifactLocation: SARIFArtifactLocation(document.name, index: nil)))
                ])
        }
    }
}

extension SARIFArtifact {
    init(_ document: CheckReport.Document) {
        location = SARIFArtifactLocation(document.source.name, index: nil)
        length = document.source.bytes.count
        mimeType = "application/xml"
        roles = ["analysisTarget"]
    }
}

extension SARIFResult {
    init(_ diagnostic: Diagnostic, ruleIndex: Int, in artifact: SARIFArtifactLocation) {
        ruleId = diagnostic.id
        self.ruleIndex = ruleIndex
        level = diagnostic.severity.rawValue
        message = SARIFMessage(
            text: diagnostic.message + (diagnostic.help.map { "; \($0)" } ?? ""))
        locations = [
            SARIFLocation(artifact, at: diagnostic.place, length: diagnostic.length, message: nil)
        ]
        relatedLocations = diagnostic.related.map {
            SARIFLocation(artifact, at: $0.place, length: $0.length, message: $0.message)
        }
    }
}

extension SARIFLocation {
    init(
        _ artifact: SARIFArtifactLocation, at place: SourcePlace, length: Int, message: String?
    ) {
        physicalLocation = SARIFPhysicalLocation(
            artifactLocation: artifact,
            region: SARIFRegion(
                startLine: place.line, startColumn: place.column,
                endColumn: place.column + length))
        self.message = message.map(SARIFMessage.init)
    }
}

extension SARIFArtifactLocation {
    init(_ name: String, index: Int?) {
        uri = uriReference(toFile: name)
        self.index = index
    }
}

/// A relative reference by RFC 3986. All special characters are escaped, including ':', which would
/// end a scheme in the first segment.
private func uriReference(toFile name: String) -> String {
    let relative = name.hasPrefix("./") ? name.dropFirst(2) : name[...]
    let path = relative.utf8.map { isPlain($0) ? String(UnicodeScalar($0)) : escaped($0) }.joined()
    return path.hasPrefix("/") ? "file://" + path : path
}

private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case _: "-._~/".utf8.contains(byte)
    }
}

private func escaped(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
}
