/// A link of a Markdown page, without those to other hosts.
struct MarkdownLink: Hashable {
    /// The page, relative to the repository.
    let page: String
    /// The path as written; empty for the page itself.
    let path: String
    /// The text after `#`; nil if there is none.
    let fragment: String?
}

/// The links in the text of a page, without those in code.
func markdownLinks(in text: String, of page: String) -> [MarkdownLink] {
    prose(of: text).matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
        .map { target in
            let parts = target.split(
                separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            return MarkdownLink(
                page: page, path: String(parts[0]),
                fragment: parts.count > 1 ? String(parts[1]) : nil)
        }
}

/// The names by which links reach the headings of a page, as Git hosts make them.
func headingNames(in text: String) -> Set<String> {
    let headings = withoutBlocks(text).matches(of: /(?m)^#+ +(.+?) *$/).map { String($0.1) }
    return Set(
        headings.map { heading in
            let kept = heading.lowercased().filter {
                $0.isLetter || $0.isNumber || " -_".contains($0)
            }
            return kept.replacing(" ", with: "-")
        })
}

/// The text without code, in blocks and in lines.
func prose(of text: String) -> String {
    withoutBlocks(text).replacing(/``[^`\n]+``|`(?:[^`\n]|\n(?!\n))+`/, with: "")
}

private func withoutBlocks(_ text: String) -> String {
    text.replacing(/(?ms)^ *```.*?^ *```/, with: "")
}
