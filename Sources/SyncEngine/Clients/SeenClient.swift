import DefinitionModel
import Hashing

/// A client of an environment that a server has served.
package struct SeenClient: Hashable, Sendable {
    /// The wire, such as `waggle`.
    package let wire: String
    /// The fingerprint of the client's version; empty for a client that names none.
    package var fingerprint: String
    /// Tells devices apart, and does not tell which they are.
    package let device: [UInt8]
    /// The user, whose last day is stored without the device; nil for a guest.
    package let login: String?
    /// Days since 1970, in UTC.
    package let day: Int64

    package init(
        wire: String, fingerprint: String, deviceIdentifier: String, login: String? = nil,
        day: Int64
    ) {
        self.wire = wire
        self.fingerprint = fingerprint
        device = Self.device(withIdentifier: deviceIdentifier)
        self.login = login
        self.day = day
    }

    /// Returns 16 bytes of the hash of an identifier, which tell devices apart.
    package static func device(withIdentifier identifier: String) -> [UInt8] {
        var hash = SHA256()
        hash.update(Array(identifier.utf8))
        return Array(hash.finalize().prefix(16))
    }

    /// The guests of a wire are told apart as so many devices at most. They choose identifiers
    /// without signing in, so that one of them could otherwise take the room of all clients.
    package static let mostGuests = 1024

    /// The identifier of a guest's device as it is remembered.
    package static func guestIdentifier(for identifier: String) -> String {
        let bytes = device(withIdentifier: identifier)
        return "guest-\((Int(bytes[0]) << 8 | Int(bytes[1])) % mostGuests)"
    }

    /// The maximum number of clients of an environment that are remembered.
    package static let most = 100_000
    /// The days for which a client is remembered.
    package static let days: Int64 = 90
}

extension [SeenClient] {
    /// The last day of each user, in the order of the bytes of logins.
    package var lastDaysOfUsers: [(login: String, day: Int64)] {
        let days = reduce(into: [ByteKey: (login: String, day: Int64)]()) { days, client in
            guard let login = client.login else { return }
            let day = days[ByteKey(login)]?.day ?? client.day
            days[ByteKey(login)] = (login, Swift.max(day, client.day))
        }
        return days.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The clients of a version that were seen on a wire.
package struct SeenVersion: Hashable, Sendable {
    package let wire: String
    /// Empty for clients that name no version.
    package let fingerprint: String
    package let devices: Int
    /// The last day on which one of them was seen; see `SeenClient.day`.
    package let lastDay: Int64

    package init(wire: String, fingerprint: String, devices: Int, lastDay: Int64) {
        self.wire = wire
        self.fingerprint = fingerprint
        self.devices = devices
        self.lastDay = lastDay
    }
}

extension Instant {
    /// Days since 1970, in UTC.
    package var day: Int64 { milliseconds / 86_400_000 }

    /// The beginning of a day.
    package init(day: Int64) { self.init(milliseconds: day * 86_400_000) }
}

/// The part of a store that remembers which clients were served. Every call is one transaction.
package protocol ClientStore: Sendable {
    /// Remembers clients, and users that are there, with the day. New clients beyond `max` of the
    /// environment are left out.
    func remember(
        _ clients: [SeenClient], in environment: EnvironmentID, upTo max: Int
    ) async throws(StoreError)

    /// Returns the versions of the clients that were seen on a day or later, by wire and
    /// fingerprint.
    func seenVersions(
        in environment: EnvironmentID, since day: Int64
    ) async throws(StoreError) -> [SeenVersion]

    /// Returns the last day on which each of some devices was seen, on any wire and with any
    /// version. Devices are those of `SeenClient.device`; a device that is not remembered is left
    /// out.
    func lastDays(
        ofDevices devices: Set<[UInt8]>, in environment: EnvironmentID
    ) async throws(StoreError) -> [[UInt8]: Int64]

    /// Forgets clients that were last seen before a day, of all environments. Returns their number,
    /// which is below the limit if none are left.
    func forgetClients(seenBefore day: Int64, limit: Int) async throws(StoreError) -> Int
}
