import Foundation
import TestKit
import Waggle

/// A device that edits and syncs at the same time until it is killed, for a test to do that:
/// `KilledDevice DEFINITION SERVER FOLDER LOGIN PASSWORD SEED`. It says what it has when it starts,
/// and of each edit that it begins and that it is done. With `end` for a seed it syncs and ends.
@main struct KilledDevice {
    private let database: Database
    private let seed: UInt64?

    static func main() async throws {
        let device = try KilledDevice(CommandLine.arguments)
        let words = CommandLine.arguments
        try await patiently { try await device.database.logIn(words[4], password: words[5]) }
        guard let seed = device.seed else { return try await device.end() }
        try await device.tellRecords()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await device.syncForEver() }
            group.addTask { try await device.editForEver(seed) }
            try await group.waitForAll()
        }
    }

    private init(_ words: [String]) throws {
        guard words.count == 7, let server = URL(string: words[2]) else {
            throw WrongUsage(words: words)
        }
        seed = UInt64(words[6])
        database = try Database(
            try AppDefinition(json: String(contentsOfFile: words[1], encoding: .utf8)),
            Settings(
                mode: .test, server: server, deviceCategory: "mobile",
                folder: URL(filePath: words[3])))
    }

    private func end() async throws {
        try await patiently { try await database.sync() }
        try await tellRecords()
        for change in try await database.refusedChanges() { try tell("refused \(change)") }
    }

    private func tellRecords() async throws {
        for film in try await database.list(PermissionsEntity.self) {
            try tell("has \(film.guid) \(film.title)")
        }
        try tell("ready")
    }

    private func syncForEver() async throws {
        while true { try await patiently { try await database.sync() } }
    }

    private func editForEver(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var number = 0
        while true {
            number += 1
            let title = "\(seed)-\(number)"
            let films = try await database.list(PermissionsEntity.self)
            switch random.number(in: 0..<6) {
            case 0 where films.count > 10: try await remove(random.one(of: films))
            case 1..<4: try await edit(random.one(of: films), title: title)
            default:
                guard films.count < 20 else { continue }
                try await add(title, hasPoster: random.flip())
            }
        }
    }

    private func add(_ title: String, hasPoster: Bool) async throws {
        var film = PermissionsEntity(title: title)
        if hasPoster {
            let contents = Data(String(repeating: title, count: 20_000).utf8)
            film.poster = try await database.attach(contents, filename: title)
        }
        try await save(film)
    }

    private func edit(_ film: PermissionsEntity?, title: String) async throws {
        guard var film else { return }
        film.title = title
        try await save(film)
    }

    private func save(_ film: PermissionsEntity) async throws {
        try tell("will \(film.guid) \(film.title)")
        try await database.save(film)
        try tell("did \(film.guid)")
    }

    private func remove(_ film: PermissionsEntity?) async throws {
        guard let film else { return }
        try tell("will \(film.guid) -")
        try await database.remove(film)
        try tell("did \(film.guid)")
    }

    /// At once, whole lines only.
    private func tell(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}

/// Repeats what fails because the server is busy.
private func patiently(_ body: @Sendable () async throws -> Void) async throws {
    while true {
        do {
            return try await body()
        } catch let failure as SyncFailure where failure.isTemporary {
            continue
        }
    }
}

private struct WrongUsage: Error {
    let words: [String]
}
