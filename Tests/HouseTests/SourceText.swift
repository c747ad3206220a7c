import Foundation

/// A Swift file, prepared for the rules.
struct SourceText: Sendable {
    /// Relative to the repository: `Sources/Records/Change.swift`.
    let path: String
    let lines: [Substring]
    /// The text with comments and the contents of strings replaced by spaces. Lines, columns and
    /// quotation marks are unchanged, and interpolations stay code.
    let code: String

    init(path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        code = codeOnly(text)
    }

    /// The folder under `Sources/`, or `Templates`; for a test the folder under `Tests/`.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.first == "Templates" || parts.count < 2
            ? String(parts.first ?? "") : String(parts[1])
    }

    /// The file as it is, with comments and strings.
    var text: String { lines.joined(separator: "\n") }

    var codeLines: [Substring] {
        code.split(separator: "\n", omittingEmptySubsequences: false)
    }

    func finding(line: Int, _ advice: String) -> Finding {
        Finding(path: path, line: line, advice: advice)
    }

    /// All matches in the code, with line and captured groups (empty for a group without a match).
    func matches(of pattern: String) throws -> [Match] {
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        let text = code as NSString
        let whole = NSRange(location: 0, length: text.length)
        var line = 1
        var counted = 0
        return expression.matches(in: code, range: whole).map { result in
            let end = result.range.location
            line += text.newlines(from: counted, to: end)
            counted = end
            let groups = (0..<result.numberOfRanges).map { group in
                let range = result.range(at: group)
                return range.location == NSNotFound ? "" : text.substring(with: range)
            }
            return Match(line: line, end: result.range.location + result.range.length, groups)
        }
    }

    struct Match {
        let line: Int
        /// The end of the match, in UTF-16 code units.
        let end: Int
        let groups: [String]

        init(line: Int, end: Int, _ groups: [String]) {
            self.line = line
            self.end = end
            self.groups = groups
        }
    }
}

/// A violation of a rule: its place, and what to do.
struct Finding: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let advice: String

    var description: String { "\(path):\(line): \(advice)" }
}

extension NSString {
    fileprivate func newlines(from start: Int, to end: Int) -> Int {
        substring(with: NSRange(location: start, length: end - start)).utf8
            .count { $0 == UInt8(ascii: "\n") }
    }
}
