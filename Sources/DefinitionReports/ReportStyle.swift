/// The style of a text report.
package enum ReportStyle: Hashable, Sendable, CaseIterable {
    /// For files and pipes.
    case plain
    /// With the colours of an ANSI terminal.
    case coloured

    func paint(_ text: String, _ ansiColour: ANSIColour) -> String {
        switch self {
        case .plain: text
        case .coloured: "\u{1B}[\(ansiColour.rawValue)m\(text)\u{1B}[0m"
        }
    }
}

/// ANSI colour codes. Reports are complete without colours.
enum ANSIColour: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
}

extension String {
    /// Padded with trailing spaces to a width. Names are ASCII.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
