import DefinitionCompiler
import DefinitionReports
import Foundation

extension ColorChoice {
    /// For a report that is written to a file, or to standard output if that is called `-`. Left to
    /// itself, a file gets no colours.
    func reportStyle(writingTo path: String = "-") -> ReportStyle {
        switch self {
        case .auto where path != "-": .plain
        case .auto, .always, .never:
            style(on: .standardOutput) == .coloured ? .coloured : .plain
        }
    }
}
