package import DefinitionModel

extension SourceFile {
    /// The line of the document with an attribute of the element at `place`, with carets under the
    /// attribute as in a diagnostic. Shows the line of the element if it has no such attribute;
    /// empty if no element begins at the place.
    ///
    /// `limits` must be the ones that the document was compiled with.
    package func excerpt(
        at place: SourcePlace, of attribute: String,
        within limits: CompilerLimits = CompilerLimits(), style: TextStyle = .plain
    ) -> [String] {
        var ignored = DiagnosticCollector(limit: 1)
        let text = decode(self, within: limits, reportingTo: &ignored)
        let start = text.offset(of: place)
        let tags = scanTags(in: text, within: limits)
        guard let tag = tags.tags.first(where: { $0.nameRange.lowerBound - 1 == start }) else {
            return []
        }
        let written = tags.attributes[tag.attributes].first {
            text.bytes[$0.nameRange].elementsEqual(attribute.utf8)
        }
        let range = written.map { $0.nameRange.lowerBound..<$0.valueRange.upperBound + 1 }
        let shown = range ?? start..<tag.nameRange.upperBound
        let excerpt = Excerpt(
            of: text, at: text.place(at: shown.lowerBound), length: text.length(of: shown))
        return excerpt?.lines(.note, style: style) ?? []
    }
}
