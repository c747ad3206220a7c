import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import DefinitionReports
import Foundation

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say whether a role may do something, and by which line of the definition.",
        discussion: """
            Whose a record is decides how far a right reaches. It is told by --owner:

              self    of the one who asks, and of the group that they are in
              moved   of the one who asks, made when they were in another group
              group   of someone else, of the group of the one who asks
              other   of someone else, of another group

            A new record is always of its creator, so a creation needs no --owner.

            Both answers are good ones, and the exit code is 0; with --fail-on it is 1 when the \
            answer is the one named. A role, model or field that is not there gives 1, too.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    enum Answer: String, ExpressibleByArgument, CaseIterable {
        case yes, no, never
    }

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "Who asks: a role, such as users-mobile.")
    var role: String

    @Option(help: "The model of the record.")
    var model: String

    @Option(help: "A field of it. Without one, the question is about the record as a whole.")
    var field: String?

    @Option(help: "What to do to it.")
    var operation: DefinitionModel.Operation

    @Option(help: "Whose the record is.")
    var owner: RecordOwner?

    @Option(help: "How to answer: text for people, json for tools.")
    var format: Format = .text

    @Option(help: "The answer that makes the exit code 1.")
    var failOn: Answer = .never

    @Option(
        help: ArgumentHelp(
            """
            Whether to colour text. auto does so on a terminal, unless its TERM is dumb or \
            NO_COLOR is set.
            """, valueName: "when"))
    var color: ColorChoice = .auto

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws {
        if field != nil, !DefinitionModel.Operation.ofFields.contains(operation) {
            throw ValidationError(
                "a field is not \(operation == .delete ? "deleted" : "resolved") by itself: "
                    + "leave --field out")
        }
        if operation == .create, owner ?? .own != .own {
            throw ValidationError("a new record is always of its creator: leave --owner out")
        }
        if operation != .create, owner == nil {
            let known = RecordOwner.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw ValidationError("whose the record is decides: give --owner, one of \(known)")
        }
    }

    func run() throws {
        let limits = try limits.limits()
        let file = try DefinitionFile(file, within: limits)
        let explanation = explain(try inquiry(in: file.definition), in: file.definition)
        switch format {
        case .text:
            let style = color.style(on: .standardOutput)
            let text = renderAsText(
                explanation, file: file.source.name, style: color.reportStyle()
            ) { place, attribute in
                file.source.excerpt(at: place, of: attribute, within: limits, style: style)
            }
            Terminal.write(text)
        case .json: Terminal.write(renderAsJSON(explanation, file: file.source.name))
        }
        if failOn == (explanation.isAllowed ? .yes : .no) {
            throw ExitCode(ToolFailure.Kind.inputAtFault.exitCode)
        }
    }

    private func inquiry(in definition: Definition) throws(ToolFailure) -> Inquiry {
        do {
            return try Inquiry(
                role: role, model: model, field: field, operation: operation,
                owner: owner ?? .own, in: definition)
        } catch {
            throw ToolFailure(error)
        }
    }
}

extension DefinitionModel.Operation: ExpressibleByArgument {}
extension RecordOwner: ExpressibleByArgument {}

extension ToolFailure {
    init(_ error: UnknownName) {
        let (kind, place) =
            switch error.kind {
            case .role: ("role", "the definition")
            case .model: ("model", "the definition")
            case .field(let model): ("field", "the model '\(model)'")
            }
        let known = error.known.map { "'\($0)'" }.joined(separator: ", ")
        let help =
            nearest(to: error.name, in: error.known).map { "did you mean '\($0)'?" }
            ?? (known.isEmpty ? "it has none" : "there are \(known)")
        self.init(.inputAtFault, "\(place) has no \(kind) '\(error.name)'", help: help)
    }
}
