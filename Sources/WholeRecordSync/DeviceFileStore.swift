package import SyncEngine

/// The part of a store that knows which files a device has, so that their contents are not sent
/// again. Every call is one transaction, as in `Store`, unless it says otherwise. The files of a
/// device are deleted with it and with its user, and not kept for unknown users.
package protocol DeviceFileStore: Sendable {
    /// Returns the files that records name on the device, in no particular order.
    func deviceFiles(
        of device: DeviceKey, namedBy records: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [FileOnDevice]

    /// Returns the entries of files, whatever records name them.
    func deviceFiles(
        of device: DeviceKey, amongFiles files: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [FileOnDevice]

    /// Returns files that the device should have and has not confirmed: those with an empty ticket
    /// last, otherwise in the order of record and file.
    func owedFiles(
        of device: DeviceKey, in environment: EnvironmentID, limit: Int
    ) async throws(StoreError) -> [FileOnDevice]

    /// Adds entries, or replaces those of the same record and file.
    func putDeviceFiles(
        _ files: [FileOnDevice], of device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError)

    /// Removes the leaving files of a confirmed ticket, and notes that the device has the others.
    /// Takes transactions of limited size: those that are not noted when it fails are sent again.
    func settleDeviceFiles(
        of device: DeviceKey, ticket: String, in environment: EnvironmentID
    ) async throws(StoreError)

    /// Removes every entry of the device, in transactions of limited size.
    func forgetDeviceFiles(
        of device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError)
}

/// A file that a record names, and whether a device has it.
package struct FileOnDevice: Hashable, Sendable {
    package let record: String
    package let file: String
    /// Nil if the device has it; otherwise the ticket with which it was sent, or is being removed,
    /// `later` if a delivery had no room for it, and empty if there was nothing to send yet.
    package let ticket: String?
    /// Whether the record names it no longer.
    package let isLeaving: Bool

    /// The ticket of files that come with a later delivery.
    package static let later = "later"

    package init(record: String, file: String, ticket: String? = nil, isLeaving: Bool = false) {
        self.record = record
        self.file = file
        self.ticket = ticket
        self.isLeaving = isLeaving
    }
}
