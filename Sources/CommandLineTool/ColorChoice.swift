import ArgumentParser
import DefinitionCompiler
import Foundation

/// When a text for people is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// Left to itself, a text is coloured where a person sees it: on a terminal that knows colours,
    /// unless `NO_COLOR` asks for none (see no-color.org).
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
