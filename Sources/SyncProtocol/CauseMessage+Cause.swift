package import ChangeRules
import DefinitionModel

extension CauseMessage {
    package init(_ cause: Cause) {
        let description = CauseDescription(cause)
        self.init(
            code: description.code, message: description.message,
            field: cause.field?.shortenedName, argument: description.argument,
            line: cause.place?.line, column: cause.place?.column)
    }
}
