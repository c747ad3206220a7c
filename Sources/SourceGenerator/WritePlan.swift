import DefinitionModel

/// What to do to a folder so that it holds the drafts.
package struct WritePlan: Hashable, Sendable {
    /// New, or different from what is there. What has not changed is not written, so that builds
    /// need not compile it again.
    package let writes: [SourceDraft]
    package let unchanged: [String]
    /// Generated from this application at an earlier time, and no longer: their models were removed
    /// or renamed, or the prefix was another. For people to delete.
    package let stale: [String]
    /// In the way of a draft, and not generated from this application. They must not be written
    /// over.
    package let blocked: [String]
}

/// Compares drafts with the texts of a folder, by path relative to it.
///
/// A file counts as generated from the same application when its first line is that of the drafts.
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

/// Also of a text whose lines end in CRLF, as some checkouts have them.
private func firstLine(of text: String) -> Substring {
    text.prefix { !$0.isNewline }
}
