import AccessPolicy
import DefinitionModel
import EnvironmentCopy
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import UserAccounts

/// An erasure, whole or without one of its parts.
enum ErasureVariant: CaseIterable, Sendable {
    case whole
    /// Nothing of the history and the conflicts is forgotten.
    case withoutRedaction
    /// Devices are told nothing.
    case withoutChange
    /// Account and outcomes stay.
    case withoutForgetting
    /// A restored backup is left as it is.
    case withoutRepetition
}

/// A database with an engine, of a history in which a person is erased.
struct ErasurePlace: Sendable {
    let bench: StoreBench
    let engine: Engine

    init(_ bench: StoreBench, _ definition: Definition, _ state: EnvironmentState) {
        self.bench = bench
        engine = Engine(
            rules: Rules(definition), formerly: [], environment: state, store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }))
    }

    func sync(
        _ request: SyncRequest, by login: String, on device: String, at now: Instant
    ) async throws -> SyncResponse {
        guard let state = try await bench.store.environment(named: "test") else {
            throw StoreError.environmentGone
        }
        let role = Role(group: "chiefs", deviceCategory: "mobile")
        let caller = Caller(
            asker: Asker(login: login, group: "chiefs", role: role), deviceIdentifier: device,
            isAdmin: false,
            moment: EnvironmentMoment(
                deployment: state.deployment, sequence: state.sequence, purgeHorizon: 0))
        return try await engine.sync(request, from: caller, at: now)
    }

    /// Every text that is stored, with the name of its table.
    func texts() async throws -> [(table: EnvironmentTable, text: String)] {
        guard let rows = bench.database?.rows else { return [] }
        let snapshot = try await rows.snapshot()
        var texts: [(table: EnvironmentTable, text: String)] = []
        for table in EnvironmentTable.allCases {
            let found = try await snapshot.rows(
                of: table, in: engine.environment, .everything, limit: 100_000)
            texts += found.flatMap { $0.compactMap(\.text) }.map { (table, $0) }
        }
        await snapshot.close()
        return texts
    }

    /// Erases a person who owns these records.
    func erase(
        _ erasure: Erasure, owning guids: [String], _ variant: ErasureVariant, at now: Instant
    ) async throws {
        guard let database = bench.store as? any PersonalErasure.Database else { return }
        let isWhole = variant == .whole || variant == .withoutRepetition
        guard !isWhole else {
            _ = try await PersonalErasure(engine: engine, store: database).run(erasure, at: now)
            return
        }
        if variant != .withoutForgetting {
            try await database.forgetPerson(erasure.login, in: engine.environment)
        }
        if variant != .withoutChange {
            _ = try await engine.erase(guids, of: erasure.login, by: erasure.author, at: now)
        }
        if variant != .withoutRedaction {
            _ = try await database.redact(guids, in: engine.environment)
        }
    }
}

/// A random history of devices whose texts are unique, one of whose users is erased.
struct ErasureHistory {
    static let person = "anna"
    private static let logins = [person, "ben", "cleo"]

    private struct Device {
        let login: String
        var cursor: String?
        var records: [String: RecordMessage] = [:]
    }

    private var place: ErasurePlace
    private let backup: StoreBench
    private let definition: Definition
    private var devices: [Device]
    private var random: SplitMix64
    private var count = 0
    /// The texts that were sent for each record, whoever sent them.
    private var texts: [String: Set<String>] = [:]
    /// The owner of each record that was made.
    private var owners: [String: String] = [:]

    private var now: Instant { Instant(milliseconds: Int64(count) * 1000) }

    init(_ kind: StoreKind, seed: UInt64) async throws {
        random = SplitMix64(seed: seed)
        let mode: ConflictMode = random.one(of: [.manual, .overwrite, .merge]) ?? .manual
        let definition = try yard(mode)
        self.definition = definition
        let bench = try await kind.open()
        backup = try await kind.open()
        let state = try await bench.store.deploy(to: "test") { _ in
            .success(.test(definition.fingerprint))
        }.get().state
        place = ErasurePlace(bench, definition, state)
        devices = Self.logins.map { Device(login: $0) }
        for login in Self.logins {
            let user = User(
                login: login, group: "chiefs", mail: "\(login)@example.org", isAdmin: false,
                passwordHash: "hash of \(login)")
            _ = try await bench.store.changeUser(login, in: state.id) { _ in
                Result<UserChange, StoreError>.success(.write(user, endingSessions: false))
            }
        }
    }

    /// The users edit records, their own and those of others, also unaware of each other.
    mutating func play(steps: Int = 60) async throws {
        for _ in 0..<steps {
            count += 1
            let number = random.number(in: devices.indices)
            if random.number(in: 0..<3) == 0 {
                try await pull(number)
            } else {
                try await push(change(by: devices[number]), by: number)
            }
        }
    }

    private mutating func change(by device: Device) -> ChangeMessage {
        let text = "canary \(count) of \(device.login)"
        let known = device.records.values.filter { !$0.deleted }.sorted { $0.guid < $1.guid }
        guard let record = random.one(of: known), random.number(in: 0..<10) > 3 else {
            let digits = String(count)
            let zeros = String(repeating: "0", count: 12 - digits.count)
            let guid = "00000000-0000-4000-8000-\(zeros)\(digits)"
            (texts[guid], owners[guid]) = ([text], device.login)
            return ChangeMessage(
                id: "\(count)", action: .create, model: "Task", guid: guid,
                fields: ["title": .string(text)])
        }
        texts[record.guid, default: []].insert(text)
        let isDeleted = random.number(in: 0..<6) == 0
        return ChangeMessage(
            id: "\(count)", action: isDeleted ? .delete : .update, model: "Task",
            guid: record.guid, base: record.revision,
            fields: isDeleted ? [:] : ["title": .string(text)])
    }

    private mutating func push(_ change: ChangeMessage, by number: Int) async throws {
        _ = try await place.sync(
            SyncRequest(cursor: devices[number].cursor, changes: [change]),
            by: devices[number].login, on: "phone", at: now)
    }

    /// Returns whether the server has told the device to start over.
    @discardableResult
    private mutating func pull(_ number: Int) async throws -> Bool {
        var hasStarted = false
        var hasMore = true
        while hasMore {
            let response: SyncResponse
            do {
                response = try await place.sync(
                    SyncRequest(cursor: devices[number].cursor), by: devices[number].login,
                    on: "phone", at: now)
            } catch SyncError.cursorForeign {
                devices[number].cursor = nil
                devices[number].records = [:]
                hasStarted = true
                continue
            }
            if response.resync {
                devices[number].records = [:]
                hasStarted = true
            }
            for record in response.records {
                devices[number].records[record.guid] = record.deleted ? nil : record
            }
            for dropped in response.dropped { devices[number].records[dropped.guid] = nil }
            devices[number].cursor = response.cursor
            hasMore = response.more
        }
        return hasStarted
    }
}

extension ErasureHistory {
    /// Backs up, erases the person, and restores the backup. Returns the first thing that is left
    /// of the person; nil if nothing is.
    mutating func erase(_ variant: ErasureVariant) async throws -> String? {
        for number in devices.indices where random.flip() { try await pull(number) }
        var request = CopyRequest(environment: "test", name: "test")
        request.epoch = 7
        _ = try await copy(request, from: place.bench, to: backup)
        try await play(steps: 15)
        let erasure = Erasure(login: Self.person, at: now, author: "operator")
        let guids = owners.filter { $0.value == Self.person }.map(\.key).sorted()
        try await place.erase(erasure, owning: guids, variant, at: now)
        try await edit(guids)
        if let left = try await left(after: "erasure") { return left }
        let list = try await place.bench.store.erasures(in: place.engine.environment)
        guard variant == .whole || variant == .withoutRepetition else { return nil }
        guard list == [erasure] else { return "the list of erasures is \(list)" }
        guard let state = try await backup.store.environment(named: "test") else {
            return "the backup is gone"
        }
        place = ErasurePlace(backup, definition, state)
        if variant == .whole {
            for erasure in list {
                try await place.erase(erasure, owning: guids, variant, at: now)
            }
        }
        return try await left(after: "restoring")
    }

    /// Devices of others, which do not know of the erasure yet, edit what they hold.
    private mutating func edit(_ guids: [String]) async throws {
        for number in devices.indices where devices[number].login != Self.person {
            for guid in guids {
                guard let record = devices[number].records[guid], !record.deleted,
                    let text = random.one(of: (texts[guid] ?? []).sorted())
                else { continue }
                count += 1
                let change = ChangeMessage(
                    id: "\(count)", action: .update, model: "Task", guid: guid,
                    base: record.revision, fields: ["title": .string(text)])
                try await push(change, by: number)
            }
        }
    }

    /// Compares what is stored, and what devices of others hold, with what may be there.
    private mutating func left(after event: String) async throws -> String? {
        let erased = Set(owners.filter { $0.value == Self.person }.map(\.key))
        let words = erased.flatMap { texts[$0] ?? [] }
        for (table, text) in try await place.texts() {
            if let word = words.first(where: { text.contains("\"\($0)\"") }) {
                return "after \(event), '\(word)' is in \(table)"
            }
            guard [.users, .outcomes].contains(table) else { continue }
            if text == Self.person { return "after \(event), \(table) names the person" }
        }
        for number in devices.indices where devices[number].login != Self.person {
            try await pull(number)
            let held = devices[number].records
            if let guid = erased.first(where: { held[$0] != nil }) {
                return "after \(event), a device of '\(devices[number].login)' has \(guid)"
            }
            devices[number].cursor = nil
            devices[number].records = [:]
            try await pull(number)
            guard Set(held.keys) == Set(devices[number].records.keys) else {
                return "after \(event), an old and a fresh device differ"
            }
        }
        return nil
    }
}
