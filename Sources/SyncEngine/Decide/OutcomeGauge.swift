import DefinitionModel
import Synchronization

/// The gauges of both kinds of pushes.
final class OutcomeGauges: Sendable {
    private let waiting: OutcomeGauge
    private let expiring: OutcomeGauge

    init(_ limits: Limits) {
        waiting = OutcomeGauge(
            maxOfDevice: StoredAmount(
                rows: limits.outcomesOfDevice, bytes: limits.outcomeBytesOfDevice),
            maxOfUser: StoredAmount(rows: limits.outcomesOfUser, bytes: limits.outcomeBytesOfUser))
        let max = StoredAmount(
            rows: limits.expiringOutcomesOfUser, bytes: limits.expiringOutcomeBytesOfUser)
        expiring = OutcomeGauge(maxOfDevice: max, maxOfUser: max)
    }

    subscript(expiring isExpiring: Bool) -> OutcomeGauge { isExpiring ? expiring : waiting }
}

/// Tells when the stored outcomes of a user are to be counted.
///
/// To count them with every push would cost more than the push. They are counted once for a tenth
/// of what a device or its user may have, and before those that were counted and those that were
/// written since could exceed a limit. So limits are exceeded by what other processes write, a
/// tenth in each at most, and by pushes that are under way at the same time.
final class OutcomeGauge: Sendable {
    /// The text of an outcome has at most 4 KiB of causes or results, and the names of a record.
    private static let outcomeBytes = 8 << 10
    /// Beyond these, the gauge starts anew.
    private static let mostDevices = 100_000

    private struct User {
        /// The last count, with the outcomes that the push which counted was to write.
        var counted = OutcomeAmounts()
        /// Outcomes that were written since, by device identifier.
        var written: [ByteKey: Int] = [:]
        var writtenByAll = 0

        var deviceCount: Int { counted.ofDevices.count + written.count }

        mutating func startAnew() { (written, writtenByAll) = ([:], 0) }

        /// Also returns how many devices it has more.
        mutating func update<Value>(_ change: (inout User) -> Value) -> (Value, added: Int) {
            let before = deviceCount
            return (change(&self), deviceCount - before)
        }
    }

    private struct Users {
        var byLogin: [ByteKey: User] = [:]
        /// The sum for all users.
        var deviceCount = 0

        mutating func update<Value>(_ login: String, _ change: (inout User) -> Value) -> Value {
            if deviceCount >= mostDevices { self = Users() }
            let (value, added) = byLogin[ByteKey(login), default: User()].update(change)
            deviceCount += added
            return value
        }
    }

    private let maxOfDevice: StoredAmount
    let maxOfUser: StoredAmount
    private let users = Mutex(Users())

    init(maxOfDevice: StoredAmount, maxOfUser: StoredAmount) {
        self.maxOfDevice = maxOfDevice
        self.maxOfUser = maxOfUser
    }

    /// Whether to count them before `count` further ones are written. One of the pushes that are
    /// under way at the same time counts for all.
    func isDue(writing count: Int, by device: DeviceKey) -> Bool {
        let key = ByteKey(device.deviceIdentifier)
        return users.withLock { users in
            users.update(device.login) { user in
                let ofDevice = (user.written[key] ?? 0) + count
                user.written[key] = ofDevice
                user.writtenByAll += count
                let isDue =
                    isReached(maxOfDevice, by: user.counted.ofDevice(device), and: ofDevice)
                    || isReached(maxOfUser, by: user.counted.ofUser, and: user.writtenByAll)
                if isDue { user.startAnew() }
                return isDue
            }
        }
    }

    private func isReached(
        _ max: StoredAmount, by counted: StoredAmount, and written: Int
    ) -> Bool {
        let sum = counted + Self.largest(written)
        return written >= max.rows / 10 || sum.rows > max.rows || sum.bytes > max.bytes
    }

    private static func largest(_ count: Int) -> StoredAmount {
        StoredAmount(rows: count, bytes: count * outcomeBytes)
    }

    /// Returns the limit that `count` further outcomes would exceed; nil if there is room for them,
    /// and for none.
    ///
    /// - Parameter stored: The amounts that were counted.
    func limitExceeded(
        writing count: Int, by device: DeviceKey, given stored: OutcomeAmounts
    ) -> StoredAmount? {
        let exceeded: StoredAmount? =
            if count == 0 {
                nil
            } else if stored.ofDevice(device).leaves(maxOfDevice, noRoomFor: count) {
                maxOfDevice
            } else if stored.ofUser.leaves(maxOfUser, noRoomFor: count) {
                maxOfUser
            } else {
                nil
            }
        let own = Self.largest(exceeded == nil ? count : 0)
        users.withLock { users in
            users.update(device.login) { $0.counted = stored.adding(own, of: device) }
        }
        return exceeded
    }
}

extension StoredAmount {
    fileprivate func leaves(_ max: StoredAmount, noRoomFor count: Int) -> Bool {
        rows + count > max.rows || bytes >= max.bytes
    }
}
