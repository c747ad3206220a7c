/// What the engine needs of a database to know how far devices have confirmed. Whoever is a `Store`
/// is this too. Every call is one transaction, as with a `Store`.
package protocol TicketLedger: Sendable {
    /// Writes what is decided, or nothing for nil. `deciding` gets what there is: nil of a device
    /// that nothing is known of. What else came of the decision is handed through. It goes when
    /// the user goes; of a user that there is not nothing is kept.
    func changeProgress<Result: Sendable>(
        of device: DeviceKey, in environment: EnvironmentID,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) async throws(StoreError) -> Result
}

/// How far a device has come that confirms what it was sent.
package struct DeviceProgress: Hashable, Sendable {
    /// A cursor: what it has confirmed. Nil when that is nothing.
    package var confirmed: String?
    /// Whether it may have records that others can delete: it has sent some, or was sent some.
    package var holdsRecords: Bool
    /// Of its last sync.
    package var ticket: SyncTicket?

    package init(
        confirmed: String? = nil, holdsRecords: Bool = false, ticket: SyncTicket? = nil
    ) {
        self.confirmed = confirmed
        self.holdsRecords = holdsRecords
        self.ticket = ticket
    }
}

/// One sync of a device, which it refers to by a text.
package struct SyncTicket: Hashable, Sendable {
    package let text: String
    /// Whether the device wants everything again.
    package let startsOver: Bool
    /// Why nothing comes of it, for people; nil when something does.
    package let rejection: String?
    /// How often the answer was begun.
    package var deliveries: Int64
    /// A cursor: how far the answer goes that was begun last, or before it; nil until one is
    /// whole.
    package var delivered: String?

    package init(
        text: String, startsOver: Bool, rejection: String?, deliveries: Int64 = 0,
        delivered: String? = nil
    ) {
        self.text = text
        self.startsOver = startsOver
        self.rejection = rejection
        self.deliveries = deliveries
        self.delivered = delivered
    }
}
