import HTTPTypes
import SyncEngine

extension HTTPFailure {
    init(_ refusal: TicketRefusal) {
        switch refusal {
        case .unknown:
            self.init(
                .notFound, "ticketUnknown", "this device has no such ticket",
                help: "synchronize again")
        case .rejected:
            self.init(
                .conflict, "ticketRejected", "this synchronization was rejected",
                help: "its status has the reason; correct it, and synchronize again")
        case .undelivered:
            self.init(
                .conflict, "ticketUndelivered", "the data of this ticket was not fetched yet",
                help: "fetch it, and confirm it then")
        case .absentTooLong:
            self.init(
                .conflict, "absentTooLong",
                "this device was away for longer than the server remembers what was deleted",
                help: "synchronize everything; what it has sent is kept")
        }
    }
}
