import DefinitionModel
import GRDB
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing
import UserAccounts

@testable import Waggle

/// Random edits on several devices that are offline for long, while requests and answers are lost,
/// users change groups, and conflicts are settled in every possible way.
@Suite("After any history, a device holds what a fresh one gets", .timeLimit(.minutes(5)))
struct HistoryTests {
    @Test(arguments: UInt64(0)..<12)
    func oldAndFreshAgree(seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let bench = try await DeviceBench(films(mode))
        if seed >= 8 { bench.wire.shortenPages(to: 3) }
        var random = SplitMix64(seed: seed)
        var devices: [Device] = []
        for (login, name) in [("a", "1"), ("b", "2"), ("a", "3"), ("g", "4")] {
            devices.append(try Device(login: login, name: name, bench: bench))
        }
        for device in devices where random.flip() {
            device.database.onConflict { _ in .useClient }
        }
        for _ in 0..<50 {
            guard let device = random.one(of: devices) else { continue }
            try await device.step(using: &random)
        }
        for _ in 0..<4 {
            for device in devices { try await device.syncQuietly() }
        }
        for device in devices { try await expectFresh(device, bench) }
    }

    private func expectFresh(_ device: Device, _ bench: DeviceBench) async throws {
        let fresh = try await bench.loggedIn(device.login, on: "fresh \(device.name)")
        try await fresh.sync()
        let old = try await device.database.everything()
        let new = try await fresh.everything()
        #expect(old == new, "\(device.login) on \(device.name)")
        #expect(!new.isEmpty, "something has to happen")
    }
}

private struct Device: Sendable {
    let login: String
    let name: String
    let bench: DeviceBench
    let database: Waggle.Database

    init(login: String, name: String, bench: DeviceBench) throws {
        self.login = login
        self.name = name
        self.bench = bench
        database = try bench.database(on: name)
    }

    func step(using random: inout SplitMix64) async throws {
        if database.user == nil { try await database.logIn(login, password: login) }
        switch random.number(in: 0..<10) {
        case 0..<4: try await edit(using: &random)
        case 4: try await remove(using: &random)
        case 5: try await resolve(using: &random)
        case 6 where login == "b":
            let group = random.flip() ? "users" : "guests"
            try await bench.wire.accounts.edit(
                login, UserEdit(group: group), at: Instant(milliseconds: 0))
        default: try await sync(using: &random)
        }
    }

    private func edit(using random: inout SplitMix64) async throws {
        let films = try await database.list(Film.self)
        var film = random.one(of: films) ?? Film(title: "new")
        if random.number(in: 0..<3) == 0 { film = Film(title: "new") }
        film.title = "t\(random.number(in: 0..<100))"
        if random.flip() { film.score = Int64(random.number(in: 1...5)) }
        if random.flip(), !film.director.isHidden { film.director = "d" }
        if random.number(in: 0..<4) == 0 {
            let studio = Studio(name: "s\(random.number(in: 0..<3))")
            try await attempting { try await database.save(studio) }
            if try await database.exists(Studio.self, guid: studio.guid) {
                film.studio = studio.reference
            }
        }
        try await attempting { [film] in try await database.save(film) }
    }

    private func remove(using random: inout SplitMix64) async throws {
        guard let film = random.one(of: try await database.list(Film.self)) else { return }
        try await attempting { try await database.remove(film) }
    }

    private func resolve(using random: inout SplitMix64) async throws {
        let conflicts = try await database.conflicts(of: Film.self)
        guard let sides = random.one(of: conflicts)?.sides, let side = random.one(of: sides),
            let chosen = random.flip() ? side.mine : side.theirs
        else { return }
        try await attempting { try await database.resolve(chosen) }
    }

    private func sync(using random: inout SplitMix64) async throws {
        let faults = EngineWire.Fault.allCases
        if random.number(in: 0..<3) == 0 {
            let next = (0..<2).map { _ in random.one(of: faults) ?? .answered }
            bench.wire.next(next[0], next[1])
        }
        do {
            try await database.sync()
        } catch {
            guard case .unreachable = error else { throw error }
        }
        bench.wire.next()
    }

    /// Tries an edit. A refusal by the rules is not an error here.
    private func attempting(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch Waggle.DatabaseError.refused, Waggle.DatabaseError.removed {
            return
        }
    }

    func syncQuietly() async throws {
        if database.user == nil { try await database.logIn(login, password: login) }
        try await database.sync()
    }
}

extension Waggle.Database {
    /// The fields that the app sees, by guid, and whether changes wait.
    fileprivate func everything() async throws -> [String: String] {
        try await look { _, _, db in
            var records: [String: String] = [:]
            for record in try LocalRecord.fetchAll(db, sql: "SELECT * FROM records") {
                let fields = StoredJSON.encode(record.shown ?? [:])
                records[record.guid] =
                    "\(record.model) \(record.revision) \(record.isConflicted) "
                    + "\(record.isModified) \(record.shown == nil) \(fields)"
            }
            return records
        }
    }
}
