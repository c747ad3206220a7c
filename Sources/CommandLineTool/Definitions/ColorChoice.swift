import ArgumentParser
import DefinitionCompiler
import Foundation

/// The values of `--color`.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// With `auto`, text is coloured on a terminal that supports colours, unless `NO_COLOR` is set
    /// (see no-color.org).
    func style(
        on stream: FileHandle,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> TextStyle {
        switch self {
        case .always: return .coloured
        case .never: return .plain
        case .auto:
            let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            let isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
            let isTerminal = isatty(stream.fileDescriptor) == 1
            return isTerminal && !isDumb && !isUnwanted ? .coloured : .plain
        }
    }
}
