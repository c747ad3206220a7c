import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import DefinitionReports
import Foundation

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say whether a role may do something, and which rule decides.",
        discussion: """
            A right depends on the relation of the user to the record, which --owner defines:

              self    the user's own record, in the user's group
              moved   the user's own record, in the user's former group
              group   another user's record, in the user's group
              other   another user's record, in another group

            A new record belongs to its creator, so a creation needs no --owner.

            The exit code is 0 for both answers; with --fail-on it is 1 for the named one. It is \
            also 1 for an unknown role, model or field.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    enum Answer: String, ExpressibleByArgument, CaseIterable {
        case yes, no, never
    }

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "The role of the user, such as users-mobile.")
    var role: String

    @Option(help: "The model of the record.")
    var model: String

    @Option(help: "A field of the record; without it, the record as a whole.")
    var field: String?

    @Option(help: "The operation.")
    var operation: DefinitionModel.Operation

    @Option(help: "The relation of the user to the record.")
    var owner: RecordOwner?

    @Option(help: "The format: text for people, json for tools.")
    var format: Format = .text

    @Option(help: "The answer for exit code 1.")
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
