import DefinitionCompiler
import DefinitionReports
import Foundation

extension ColorChoice {
    /// The style for a report to a file, or to standard output if `path` is `-`. With `auto`, a
    /// file gets no colours.
    func reportStyle(writingTo path: String = "-") -> ReportStyle {
        switch self {
        case .auto where path != "-": .plain
        case .auto, .always, .never:
            style(on: .standardOutput) == .coloured ? .coloured : .plain
        }
    }
}
