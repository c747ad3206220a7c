import DefinitionModel

/// The names of the two documents.
package struct ComparedFiles: Hashable, Sendable {
    package let old: String
    package let new: String

    package init(old: String, new: String) {
        self.old = old
        self.new = new
    }
}

/// The differences as text, the greatest impact first, with a final newline. Verdicts that are
/// obvious are omitted.
package func renderAsText(
    _ comparison: DefinitionComparison, files: ComparedFiles, style: ReportStyle = .plain
) -> String {
    guard !comparison.isEmpty else { return "no differences\n" }
    let entries = comparison.differences.map(Entry.init) + comparison.rights.map(Entry.init)
    let sections = Impact.allCases.reversed().compactMap { impact in
        section(entries.filter { $0.impact == impact }, impact, files: files, style: style)
    }
    return sections.joined(separator: "\n") + "\n" + counts(in: comparison) + "\n"
}

private struct Entry {
    let impact: Impact
    let message: String
    let data: Verdict
    let clients: Verdict
    let oldPlaces: [SourcePlace]
    let newPlaces: [SourcePlace]

    init(_ difference: Difference) {
        impact = difference.impact
        message = difference.message
        data = difference.data
        clients = difference.clients
        oldPlaces = difference.oldPlace.map { [$0] } ?? []
        newPlaces = difference.newPlace.map { [$0] } ?? []
    }

    init(_ difference: RightsDifference) {
        impact = difference.impact
        message = difference.message
        data = difference.data
        clients = difference.clients
        oldPlaces = difference.oldPlaces
        newPlaces = difference.newPlaces
    }
}

private func section(
    _ entries: [Entry], _ impact: Impact, files: ComparedFiles, style: ReportStyle
) -> String? {
    guard !entries.isEmpty else { return nil }
    let title = style.paint(impact.words, .bold)
    let paragraphs = entries.map { paragraph($0, files: files, style: style) }
    return "\(title)\n\(paragraphs.joined())"
}

private func paragraph(_ entry: Entry, files: ComparedFiles, style: ReportStyle) -> String {
    let places = [
        place(entry.oldPlaces, in: files.old), place(entry.newPlaces, in: files.new),
    ].compactMap { $0 }
    let verdicts = [("data", entry.data), ("clients", entry.clients)].filter {
        $0.1 != Difference.untouched && $0.1 != Difference.unknownToThem
    }
    let lines =
        ["  \(entry.message)"]
        + (places.isEmpty ? [] : ["    at      \(places.joined(separator: ", "))"])
        + verdicts.map { "    \($0.0.padded(to: 7)) \(words($0.1, style))" }
    return lines.map { $0 + "\n" }.joined()
}

private func words(_ verdict: Verdict, _ style: ReportStyle) -> String {
    "\(style.paint(verdict.impact.words, verdict.impact.ansiColour)): \(verdict.reason)"
}

/// Such as "old.xml:12", with the number of further places.
private func place(_ places: [SourcePlace], in file: String) -> String? {
    places.first.map { first in
        let rest = places.count > 1 ? " and \(places.count - 1) more" : ""
        return "\(file):\(first.line):\(first.column)\(rest)"
    }
}

/// Such as "5 differences: 2 breaking, 3 safe".
private func counts(in comparison: DefinitionComparison) -> String {
    let number = comparison.differences.count + comparison.rights.count
    let parts = Impact.allCases.reversed().compactMap { impact in
        let number = comparison.count(of: impact)
        return number == 0 ? nil : "\(number) \(number == 1 ? impact.words : impact.wordsOfMany)"
    }
    return "\(count(number, "difference")): \(parts.joined(separator: ", "))"
}

extension Impact {
    fileprivate var ansiColour: ANSIColour {
        switch self {
        case .safe: .green
        case .needsDefault: .yellow
        case .breaking: .red
        }
    }

    fileprivate var wordsOfMany: String {
        switch self {
        case .safe, .breaking: words
        case .needsDefault: "need a default"
        }
    }
}
