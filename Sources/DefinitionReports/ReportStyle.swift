/// How a report for people is written.
package enum ReportStyle: Hashable, Sendable, CaseIterable {
    /// For files and pipes.
    case plain
    /// With the colours of an ANSI terminal.
    case coloured

    func paint(_ text: String, _ ink: Ink) -> String {
        switch self {
        case .plain: text
        case .coloured: "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
        }
    }
}

/// By their ANSI codes. None is needed to understand a report.
enum Ink: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
}

extension String {
    /// With spaces behind it, for a column so wide. Names are ASCII.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
