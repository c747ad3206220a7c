import SyncEngine

/// Everything that is stored.
struct Contents: Sendable {
    var environments: [EnvironmentID: Environment] = [:]
    /// By the token's hash.
    var sessions: [[UInt8]: Session] = [:]

    func environment(_ id: EnvironmentID) throws(StoreError) -> Environment {
        guard let environment = environments[id] else {
            throw .environmentGone
        }
        return environment
    }

    func environment(named name: String) -> Environment? {
        environments.values.first { Key($0.name) == Key(name) }
    }
}

/// What is stored of one environment.
struct Environment: Sendable {
    let id: EnvironmentID
    let name: String
    let instance: String
    var current: Version
    /// The versions before the current one, in the order of their deployment.
    var earlier: [Version] = []
    /// Of the last change.
    var sequence: Int64 = 0
    /// Of the last tombstone that was swept away.
    var horizon: Int64 = 0
    var cursorKey: [UInt8]?

    /// By login.
    var users: [Key: User] = [:]
    var failedSignIns: [Key: FailedSignIns] = [:]

    /// By guid.
    var records: [Key: MemoryRecord] = [:]
    /// By guid, in the order in which they were written.
    var history: [Key: [HistoryEntry]] = [:]
    var conflicts: [Key: [Conflict]] = [:]
    var outcomes: [OutcomeKey: StoredOutcome] = [:]
    /// By value, the guid of the record that has it.
    var holders: [UniqueValue: String] = [:]
    /// Of each entry of the history, in the same order, the change that it was part of.
    var historySequences: [Key: [Int64]] = [:]
    /// By guid, oldest first.
    var moves: [Key: [OwnershipMove]] = [:]
    var links: [LinkKey: Bool] = [:]
    /// By login and device identifier.
    var progress: [Key: [Key: DeviceProgress]] = [:]
    /// By guid.
    var files: [Key: StoredFile] = [:]
    var pushTokens: [PushTokenPlace: PushToken] = [:]
    /// In the order of their numbers.
    var notifications: [StoredNotification] = []
    /// Of the last notification that was sent, and of the last whose tokens were taken on.
    var lastNotification: Int64 = 0
    var lastClaimed: Int64 = 0
    /// Guids of records that were swept away.
    var swept: Set<Key> = []

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
            fingerprint: current.content.fingerprint, source: current.content.source)
    }

    var moment: EnvironmentMoment {
        EnvironmentMoment(deployment: current.number, sequence: sequence, horizon: horizon)
    }
}

struct Version: Sendable {
    let number: Int64
    let content: NewVersion
    /// The environment's last change when it was deployed.
    let deployedAfter: Int64
}

struct MemoryRecord: Sendable {
    var stored: StoredRecord
    /// Of its last change.
    let sequence: Int64
    /// Of its creation.
    let created: Int64
    let changedAt: Instant

    /// Deleted, and nobody disputes it.
    var isGone: Bool { stored.isDeleted && !stored.isConflicted }
}

/// That one names the other; whether it does so now is its value.
struct LinkKey: Hashable, Sendable {
    let source: Key
    let target: Key

    init(_ link: RecordLink) {
        source = Key(link.source)
        target = Key(link.target)
    }
}

struct Conflict: Sendable {
    var stored: StoredConflict
    var isOpen: Bool
}

/// Outcomes are each device's own.
struct OutcomeKey: Hashable, Sendable {
    let login: Key
    let deviceIdentifier: Key
    let changeID: Key

    init(_ changeID: String, of device: DeviceKey) {
        login = Key(device.login)
        deviceIdentifier = Key(device.deviceIdentifier)
        self.changeID = Key(changeID)
    }
}

/// Each device has one token of a type.
struct PushTokenPlace: Hashable, Comparable, Sendable {
    let deviceIdentifier: Key
    let type: Key

    init(_ key: PushTokenKey) {
        deviceIdentifier = Key(key.deviceIdentifier)
        type = Key(key.type)
    }

    static func < (left: PushTokenPlace, right: PushTokenPlace) -> Bool {
        (left.deviceIdentifier, left.type) < (right.deviceIdentifier, right.type)
    }
}

/// A text as its bytes: Swift takes some texts for equal that are not the same.
struct Key: Hashable, Comparable, Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func < (left: Key, right: Key) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
