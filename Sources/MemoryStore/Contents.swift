import DefinitionModel
import Notifications
import SyncEngine
import UserAccounts
import WholeRecordSync

/// All stored data.
struct Contents: Sendable {
    var environments: [EnvironmentID: Environment] = [:]
    /// Sessions by the hash of their token.
    var sessions: [[UInt8]: Session] = [:]
    var administration = MemoryAdministration()
    private var lastEnvironment: Int64 = 0
    private var lastVersion: Int64 = 0

    /// A number that no version has had.
    mutating func nextVersion() -> Int64 {
        lastVersion += 1
        return lastVersion
    }

    /// A number that no environment has had.
    mutating func nextEnvironment() -> EnvironmentID {
        lastEnvironment += 1
        return EnvironmentID(number: lastEnvironment)
    }

    func environment(_ id: EnvironmentID) throws(StoreError) -> Environment {
        guard let environment = environments[id] else {
            throw .environmentGone
        }
        return environment
    }

    func environment(named name: String) -> Environment? {
        environments.values.first { ByteKey($0.name) == ByteKey(name) }
    }
}

/// The data of one environment.
struct Environment: Sendable {
    let id: EnvironmentID
    var name: String
    var instance: String
    var isLocked = false
    var current: Version
    /// Former versions, in the order of deployment.
    var earlier: [Version] = []
    /// Sequence of the last change.
    var sequence: Int64 = 0
    var lastStamp = Instant(milliseconds: 0)
    /// Highest sequence of a purged tombstone.
    var purgeHorizon: Int64 = 0
    var keys: [EnvironmentKey: [UInt8]] = [:]

    /// By login.
    var users: [ByteKey: User] = [:]
    var failedSignIns: [SourceKey: FailedSignIns] = [:]
    /// By hash.
    var accountCodes: [[UInt8]: AccountCode] = [:]
    /// By hash.
    var signInTickets: [[UInt8]: SignInTicket] = [:]
    /// Devices with the time of their last sign-in, by login and device identifier.
    var devices: [ByteKey: [ByteKey: (device: DeviceKey, signedInAt: Instant)]] = [:]

    /// By guid.
    var records: [ByteKey: MemoryRecord] = [:]
    /// By guid, in the order of writing.
    var history: [ByteKey: [HistoryEntry]] = [:]
    var conflicts: [ByteKey: [MemoryConflict]] = [:]
    var outcomes: [OutcomeKey: ExpiringOutcome] = [:]
    /// Opaque ids of records, by guid.
    var names: [ByteKey: String] = [:]
    /// The guid of each value's holder.
    var holders: [UniqueValue: String] = [:]
    /// The sequence of each history entry, by guid, in the order of the entries.
    var historySequences: [ByteKey: [Int64]] = [:]
    /// By guid, oldest first.
    var ownershipChanges: [ByteKey: [OwnershipChange]] = [:]
    var links: [LinkKey: Bool] = [:]
    /// By login and device identifier.
    var progress: [ByteKey: [ByteKey: DeviceProgress]] = [:]
    /// By login and device identifier.
    var deviceFiles: [ByteKey: [ByteKey: [FileOnDevice]]] = [:]
    /// In the order of their numbers.
    var refusals: [StoredRefusal] = []
    /// By guid.
    var files: [ByteKey: StoredFile] = [:]
    var pushTokens: [PushTokenSortKey: PushToken] = [:]
    /// The sources of the push tokens of guests, also of some that are gone.
    var guestSources: [PushTokenSortKey: [UInt8]] = [:]
    /// The push tokens of installations without a user.
    var waitingTokens: [PushTokenSortKey: WaitingPushToken] = [:]
    /// In the order of their numbers.
    var notifications: [StoredNotification] = []
    /// Numbers of the last notification that was sent, and of the last whose delivery has ended.
    var lastNotification: Int64 = 0
    var lastDelivered: Int64 = 0
    var delivery: ClaimedDelivery?
    /// The remains of purged records, by guid.
    var purged: [ByteKey: MemoryRecord] = [:]
    /// Changes of owner or group, in their order, also of purged records.
    var reassignments: [MemoryReassignment] = []
    /// In the order of their stamps.
    var readPolicyChanges: [MemoryReadPolicyChange] = []
    /// By login.
    var erasures: [ByteKey: Erasure] = [:]
    /// In the order in which they were first seen.
    var clients: [SeenClient] = []
    /// The last days on which users were seen, by login.
    var userDays: [ByteKey: Int64] = [:]

    init(id: EnvironmentID, name: String, instance: String, current: Version) {
        self.id = id
        self.name = name
        self.instance = instance
        self.current = current
    }

    var state: EnvironmentState {
        EnvironmentState(
            id: id, name: name, instance: instance, sequence: sequence,
            deployment: current.number, digest: current.content.digest,
            fingerprint: current.content.fingerprint, source: current.content.source,
            deployedAt: current.content.deployedAt, isLocked: isLocked)
    }

    var moment: EnvironmentMoment {
        EnvironmentMoment(
            deployment: current.number, sequence: sequence, purgeHorizon: purgeHorizon)
    }
}

extension Environment {
    /// Notes that records look different from now on, and keeps stamps free for them: see
    /// `ReadPolicyChange`. While there are no changes, nobody has seen anything.
    mutating func noteReadPolicyChange(
        from former: ReadPolicyChange.Former, of login: String? = nil
    ) {
        guard sequence > 0 else { return }
        readPolicyChanges.append(
            MemoryReadPolicyChange(
                login: login.map { ByteKey($0) },
                change: ReadPolicyChange(stamp: lastStamp, sequence: sequence, former: former)))
        lastStamp = Instant(milliseconds: lastStamp.milliseconds + 2 * sequence)
    }
}

struct MemoryReassignment: Sendable {
    let guid: ByteKey
    let stamp: Instant
    let change: OwnershipChange
}

struct MemoryReadPolicyChange: Sendable {
    /// Nil if the definition changed.
    let login: ByteKey?
    let change: ReadPolicyChange
}

struct Version: Sendable {
    let number: Int64
    let content: NewVersion
    /// The environment's last sequence at the deployment.
    let deployedAfter: Int64
    var fill: DeploymentFill?

    init(number: Int64, content: NewVersion, deployedAfter: Int64) {
        self.number = number
        self.content = content
        self.deployedAfter = deployedAfter
        fill = content.fill
    }
}

struct MemoryRecord: Sendable {
    var stored: StoredRecord
    /// Sequence of the last change.
    let sequence: Int64
    /// Sequence of the creation.
    let created: Int64
    /// Stamps of the creation and of the last change.
    let createdAt: Instant
    let changedAt: Instant

    /// Whether the record is a tombstone without open conflicts.
    var isGone: Bool { stored.isDeleted && !stored.isConflicted }
}

/// The key of a link. Its value tells whether the link is current.
struct LinkKey: Hashable, Sendable {
    let source: ByteKey
    let target: ByteKey

    init(_ link: RecordLink) {
        source = ByteKey(link.source)
        target = ByteKey(link.target)
    }
}

struct MemoryConflict: Sendable {
    var stored: StoredConflict
    var isOpen: Bool
}

/// The key of a source of failed sign-ins.
struct SourceKey: Hashable, Comparable, Sendable {
    let login: ByteKey
    private let origin: [UInt8]

    init(_ source: SignInSource) {
        login = ByteKey(source.login)
        origin = source.origin
    }

    static func < (left: SourceKey, right: SourceKey) -> Bool {
        left.login == right.login
            ? left.origin.lexicographicallyPrecedes(right.origin) : left.login < right.login
    }
}

/// The key by which push tokens are sorted. A device has at most one token per type.
struct PushTokenSortKey: Hashable, Comparable, Sendable {
    let deviceIdentifier: ByteKey
    let type: ByteKey

    init(_ key: PushTokenKey) {
        deviceIdentifier = ByteKey(key.deviceIdentifier)
        type = ByteKey(key.type)
    }

    static func < (left: PushTokenSortKey, right: PushTokenSortKey) -> Bool {
        (left.deviceIdentifier, left.type) < (right.deviceIdentifier, right.type)
    }
}
