package import SyncEngine

/// The part of a store that keeps the confirmed progress of devices. Every call is one transaction,
/// as in `Store`.
package protocol TicketStore: RefusalStore, DeviceFileStore {
    /// Writes the progress that `deciding` returns, or nothing for nil, and returns its second
    /// value. `deciding` gets the stored progress, nil for an unknown device. Progress is deleted
    /// with its user, and not kept for unknown users.
    func changeProgress<Result: Sendable>(
        of device: DeviceKey, in environment: EnvironmentID,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) async throws(StoreError) -> Result
}

/// The progress of a device that confirms what it receives.
package struct DeviceProgress: Hashable, Sendable {
    /// The confirmed cursor; nil if nothing is confirmed.
    package var confirmed: String?
    /// Whether the device may hold records that others can delete: it has sent some, or received
    /// some.
    package var holdsRecords: Bool
    /// The ticket of the last sync.
    package var ticket: SyncTicket?
    /// The ticket before it, which stays valid: a device may run two syncs at once, such as one
    /// that it takes for lost and its repeat.
    package var formerTicket: SyncTicket?
    /// Guids of records that the device must be sent although they have not changed, because it
    /// has other values that were refused. Each has the ticket with which it was sent; an empty
    /// text if it was not.
    package var owedRecords: [String: String]

    package init(
        confirmed: String? = nil, holdsRecords: Bool = false, ticket: SyncTicket? = nil,
        formerTicket: SyncTicket? = nil, owedRecords: [String: String] = [:]
    ) {
        self.owedRecords = owedRecords
        self.confirmed = confirmed
        self.holdsRecords = holdsRecords
        self.ticket = ticket
        self.formerTicket = formerTicket
    }
}

/// A sync of a device, identified by its text.
package struct SyncTicket: Hashable, Sendable {
    package let text: String
    /// Whether the device requests all records again.
    package let startsOver: Bool
    /// The reason why the sync delivers nothing; nil if it delivers.
    package let rejection: SyncRejection?
    /// Number of deliveries that were started.
    package var deliveries: Int64
    /// The cursor at the end of the last complete delivery; nil until one is complete.
    package var delivered: String?

    package init(
        text: String, startsOver: Bool, rejection: SyncRejection?, deliveries: Int64 = 0,
        delivered: String? = nil
    ) {
        self.text = text
        self.startsOver = startsOver
        self.rejection = rejection
        self.deliveries = deliveries
        self.delivered = delivered
    }
}
