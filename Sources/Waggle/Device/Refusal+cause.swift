import ChangeRules
import SyncProtocol

extension Refusal {
    init(_ message: CauseMessage) {
        code = message.code
        self.message = message.message
        field = message.field
        argument = message.argument
    }

    init(_ cause: Cause) {
        self.init(CauseMessage(cause))
    }
}
