import DefinitionEditing
import HTTPTypes
import SourceGenerator
import SyncServer

/// Errors of definitions that are being designed.
extension HTTPFailure {
    init(_ error: EditError) {
        switch error {
        case .illegible:
            self.init(
                .unprocessableContent, "definitionIllegible",
                "the text is no well-formed XML in UTF-8, so forms cannot change it",
                help: "correct it in the XML; the check tells where")
        case .missing(let path):
            self.init(
                .conflict, "elementMissing", "the definition has no '\(path.text)'",
                help: "load the definition again: somebody may have removed it")
        case .illegal(let text):
            self.init(
                .badRequest, "editIllegal", "'\(text)' cannot be written in a definition",
                help: "use characters that XML can hold")
        case .notRenamed(let path):
            self.init(
                .badRequest, "editIllegal", "'\(path.text)' has no references to rename",
                help: "set its attribute 'name'")
        }
    }

    init(_ error: GeneratorError) {
        self.init(.badRequest, "generatorRefuses", error.message, help: error.help)
    }

    static func libraryUnknown() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "generatorRefuses", "the server knows no library for new packages",
            help: "send the URL of Waggle's repository as 'library', or set 'libraryAddress'")
    }

    static func diagnosticUnknown(_ id: String) -> HTTPFailure {
        HTTPFailure(
            .notFound, "diagnosticUnknown", "there is no diagnostic '\(id)'",
            help: "'waggle check --list' lists them")
    }
}
