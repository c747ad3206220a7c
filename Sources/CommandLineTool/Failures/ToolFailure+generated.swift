import ModelFiles
import SourceGenerator

extension ToolFailure {
    init(_ error: GeneratorError) {
        let kind: Kind
        switch error {
        case .unknownLanguage, .illegalPrefix, .illegalProjectName, .takenProjectName:
            kind = .wrongUsage
        case .brokenTemplate, .inexactInteger: kind = .inputAtFault
        }
        self.init(kind, error.message, help: error.help)
    }

    init(_ error: ModelFileError) {
        self.init(
            error.isInputAtFault ? .inputAtFault : .machineFailed, error.message, help: error.help)
    }
}
