import DefinitionModel

/// The changes that make a folder contain the drafts.
package struct WritePlan: Hashable, Sendable {
    /// New or changed files. Unchanged files are not written, so that builds need not compile them
    /// again.
    package let writes: [SourceDraft]
    package let unchanged: [String]
    /// Files generated from this application earlier and no longer: their models were removed or
    /// renamed, or the prefix changed. The user should delete them.
    package let stale: [String]
    /// Files at the path of a draft that were not generated from this application. They must not be
    /// overwritten.
    package let blocked: [String]
}

/// Compares drafts with the texts in a folder, by relative path.
///
/// A file counts as generated from the same application if its first line equals that of the
/// drafts.
package func plan(_ drafts: [SourceDraft], over existing: [String: String]) -> WritePlan {
    let wanted = Set(drafts.map(\.path))
    let mark = drafts.first.map { firstLine(of: $0.text) }
    let isGenerated = { (path: String) in existing[path].map(firstLine) == mark }
    let unchanged = drafts.filter { existing[$0.path]?.hasSameBytes(as: $0.text) ?? false }
    let blocked = drafts.map(\.path).filter { existing[$0] != nil && !isGenerated($0) }
    let settled = Set(unchanged.map(\.path) + blocked)
    return WritePlan(
        writes: drafts.filter { !settled.contains($0.path) },
        unchanged: unchanged.map(\.path),
        stale: existing.keys.filter { !wanted.contains($0) && isGenerated($0) }.sorted(),
        blocked: blocked)
}

/// Also of a text with CRLF line ends, as in some checkouts.
private func firstLine(of text: String) -> Substring {
    text.prefix { !$0.isNewline }
}
