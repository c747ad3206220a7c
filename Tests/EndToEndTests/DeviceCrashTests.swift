import Foundation
import TestKit
import Testing
import Waggle

@testable import KilledDevice

/// The process of an app is killed at random moments while it edits records with files and syncs
/// them with a real server.
@Suite(.serialized, .timeLimit(.minutes(60))) struct DeviceCrashTests {
    /// The number of kills; `WAGGLE_KILLS` raises it for longer runs.
    private static let kills =
        ProcessInfo.processInfo.environment["WAGGLE_KILLS"].flatMap { Int($0) } ?? 10

    @Test(arguments: [UInt64(11)])
    func savedRecordsSurviveEveryKillOfDeviceOnce(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let site = try await Site.withFiles()
        let server = try await RunningServer(site: site)
        let compiled = try await Tool.run(["compile", site.definition], in: site.folder).output
        try site.folder.write(compiled, to: "definition.json")
        var saved = SavedFilms()
        for number in 0..<Self.kills {
            let device = try DoomedDevice(seed: "\(number)", of: server)
            try saved.follow(await device.run(until: DoomedDevice.Kill(using: &random)))
            let errors = try device.errors()
            #expect(device.wasKilled, "\(errors)")
        }
        let last = try DoomedDevice(seed: "end", of: server)
        try saved.follow(await last.run(until: nil))
        let errors = try last.errors()
        #expect(!last.wasKilled, "\(errors)")
        #expect(saved.edits > Self.kills && !saved.films.isEmpty)
        try await expectDoneOnce(site)
        try await expect(saved, on: server, compiled)
    }

    private func expectDoneOnce(_ site: Site) async throws {
        let twice = try await site.sql(
            "SELECT change_id FROM history GROUP BY login, change_id HAVING count(*) > 1")
        #expect(twice == "", "done twice")
        let others = try await site.sql(
            "SELECT kind FROM history WHERE kind NOT IN ('created', 'updated', 'deleted')")
        #expect(others == "", "nobody else was there to be in conflict with")
        let again = try await site.sql(
            """
            SELECT guid FROM history WHERE kind = 'updated'
            GROUP BY guid, fields HAVING count(*) > 1
            """)
        #expect(again == "", "no film has had a title twice")
    }

    /// Another client gets all films, with the contents of their files.
    private func expect(
        _ saved: SavedFilms, on server: RunningServer, _ compiled: String
    ) async throws {
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let b = try Waggle.Database(
            try AppDefinition(json: compiled),
            Settings(
                mode: .test, server: address, deviceCategory: "mobile",
                folder: URL(filePath: server.site.folder.path("device of b"))))
        try await b.logIn("b", password: PreparedDatabase.password(of: "b"))
        try await b.sync()
        let films = try await b.list(PermissionsEntity.self)
        let titles = Dictionary(uniqueKeysWithValues: films.map { ($0.guid, $0.title) })
        #expect(titles == saved.films)
        for poster in films.compactMap(\.poster) {
            let contents = try Data(contentsOf: try await b.contents(of: poster))
            #expect(contents == Data(String(repeating: poster.filename, count: 20_000).utf8))
        }
    }
}

/// The films that a device has reported as saved.
private struct SavedFilms {
    /// Titles by guid.
    private(set) var films: [String: String] = [:]
    private(set) var edits = 0
    /// An edit that was begun and may have been done; a nil title is a removal.
    private var open: (guid: String, title: String?)?

    /// Evaluates the output of one run, of which the last line may be incomplete.
    mutating func follow(_ output: String) throws {
        var had: [String: String] = [:]
        for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "has": had[words[1]] = words[2]
            case "ready": expect(had)
            case "will": open = (words[1], words[2] == "-" ? nil : words[2])
            case "did": settle()
            default: throw Unexpected("\(line)")
            }
        }
    }

    private mutating func settle() {
        guard let (guid, title) = open else { return }
        films[guid] = title
        open = nil
        edits += 1
    }

    private mutating func expect(_ had: [String: String]) {
        if let (guid, title) = open, had[guid] == title { settle() }
        open = nil
        #expect(had == films, "what was saved is there, and nothing else")
    }
}

/// A process that is killed while it runs.
private final class DoomedDevice: Sendable {
    /// Kills after a number of lines since it was ready, or at once.
    struct Kill: Sendable {
        let lines: Int?
        let microseconds: Int

        init(using random: inout SplitMix64) {
            let isWhileStarting = random.number(in: 0..<4) == 0
            lines = isWhileStarting ? nil : random.number(in: 1...80)
            microseconds = random.number(in: 0...(isWhileStarting ? 1_500_000 : 20_000))
        }
    }

    private let process: Process
    private let pipe = Pipe()
    private let folder: TemporaryFolder
    private let log = "\(UUID().uuidString).log"

    init(seed: String, of server: RunningServer) throws {
        folder = server.site.folder
        process = try Program(
            path: Tool.builtWithTests("KilledDevice"),
            arguments: [
                folder.path("definition.json"), "http://127.0.0.1:\(server.port)",
                folder.path("device of a"), "a", PreparedDatabase.password(of: "a"), seed,
            ], folder: folder
        ).process(writingTo: nil, and: log)
        process.standardOutput = pipe
    }

    deinit {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    var wasKilled: Bool {
        process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    func errors() throws -> String { try folder.text(of: log) }

    /// The output until then.
    func run(until kill: Kill?) async throws -> String {
        try process.run()
        killAfterTest(process)
        if let kill, kill.lines == nil { end(after: kill.microseconds) }
        return await offloaded { [self] in
            var output = Data()
            var isDoomed = false
            while case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
                output += more
                guard let kill, let lines = kill.lines, !isDoomed,
                    let ready = output.firstRange(of: Data("ready\n".utf8))
                else { continue }
                let said = output[ready.upperBound...].count { $0 == UInt8(ascii: "\n") }
                guard said >= lines else { continue }
                isDoomed = true
                end(after: kill.microseconds)
            }
            process.waitUntilExit()
            return String(decoding: output, as: UTF8.self)
        }
    }

    private func end(after microseconds: Int) {
        let pid = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            Foundation.kill(pid, SIGKILL)
        }
    }
}
