import Foundation
import Hashing
import JSON
import SyncProtocol
import Synchronization
import Testing

@testable import Waggle

@Suite("What lies on a device is its user's alone", .timeLimit(.minutes(5)))
struct DeviceFolderTests {
    /// A token goes only to the environment that issued it, and a login in one environment is not
    /// valid in another.
    @Test func environmentsKnowTheirOwnUsersOnly() async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a", on: "phone")
        #expect(database.user != nil)
        let detour = DetourWire(to: bench.wire)
        let tokens = Mutex<[String?]>([])
        detour.take { request async throws(WireFailure) in
            tokens.withLock { $0.append(request.token) }
            throw WireFailure(reason: "no network")
        }
        let other = try bench.database(mode: .production, through: detour)
        await #expect(throws: SyncFailure.unreachable("no network")) {
            try await other.logIn("a", password: "a")
        }
        #expect(tokens.withLock { $0 } == [nil])
    }

    @Test func longLoginsHaveTheirDataApart() async throws {
        let bench = try await DeviceBench()
        let database = try bench.database(mode: .development(group: "users"))
        let long = String(repeating: "x", count: 200)
        try await database.logIn(long + "1", password: "")
        try await database.save(Film(title: "Solaris"))
        try await database.logIn(long + "2", password: "")
        #expect(try await database.list(Film.self).isEmpty)
    }

    /// The server stores outcomes under the identifier of the device, so there is one for all
    /// users.
    @Test func deviceHasOneNameForAllUsers() async throws {
        let bench = try await DeviceBench()
        let detour = DetourWire(to: bench.wire)
        let names = Mutex<Set<String>>([])
        detour.take { request in
            guard let body = request.body,
                let session = try? decodeMessage(SessionRequest.self, from: body)
            else { return nil }
            names.withLock { _ = $0.insert(session.deviceIdentifier) }
            return nil
        }
        let logins = ["a", "b", "g"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for login in logins {
                let database = try bench.database(through: detour)
                group.addTask { try await database.logIn(login, password: login) }
            }
            try await group.waitForAll()
        }
        #expect(names.withLock { $0.count } == 1)
        bench.wire.cut(true)
        for login in logins {
            #expect(try await bench.database().logIn(login, password: login).isOffline)
        }
    }

    @Test func observationsGoOnAfterANewLogin() async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a")
        var isNew = false
        for try await films in try database.find(Film.self).observe() {
            if !films.isEmpty { break }
            guard !isNew else { continue }
            isNew = true
            try await database.logIn("a", password: "a")
            try await database.save(Film(title: "Solaris"))
        }
        #expect(isNew)
    }

    /// An app and its extension may have the same folder open.
    @Test func databasesInOneFolderWaitForEachOther() async throws {
        let bench = try await DeviceBench()
        let databases = try (0..<2).map { _ in
            try bench.database(mode: .development(group: "users"))
        }
        for database in databases { try await database.logIn("a", password: "") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for database in databases {
                group.addTask {
                    for number in 0..<50 { try await database.save(Film(title: "\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await databases[0].count(Film.self) == 100)
    }

    @Test func onlyTheirOwnerMayReadFiles() async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a", on: "phone")
        let place = bench.folder.appending(path: "poster.jpg")
        try Data("poster".utf8).write(to: place)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o444], ofItemAtPath: place.path)
        try await database.save(Film(title: "Solaris"))
        _ = try await database.attach(place)
        _ = try database.signInAddress(provider: "company", redirect: "com.example.app:/done")
        let phone = bench.folder.appending(path: "phone")
        let files = try #require(FileManager.default.enumerator(atPath: phone.path))
        var count = 0
        for case let name as String in files {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: phone.appending(path: name).path)
            let rights = attributes[.posixPermissions] as? Int
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(rights == (isFolder ? 0o700 : 0o600), "\(name)")
            count += 1
        }
        #expect(count >= 6, "records, their log, files, users, tokens and sign-ins")
        let rights = try FileManager.default.attributesOfItem(atPath: phone.path)
        #expect(rights[.posixPermissions] as? Int == 0o700)
    }

    #if os(Linux) || os(macOS)
        @Test func protectionIsReportedAsNone() async throws {
            #expect(try await DeviceBench().database().protection == .none)
        }
    #endif
}

@Suite("Contents of files come once, and never hold up a sync", .timeLimit(.minutes(5)))
struct ContentsTests {
    let bench: DeviceBench
    let detour: DetourWire
    let a: Waggle.Database

    init() async throws {
        bench = try await DeviceBench()
        detour = DetourWire(to: bench.wire)
        a = try bench.database(through: detour)
        try await a.logIn("a", password: "a")
    }

    @Test func simultaneousRequestsShareOneDownload() async throws {
        let contents = Data("poster".utf8)
        let digest = Data(SHA256.hash([UInt8](contents))).base64EncodedString()
        let asked = Mutex(0)
        detour.take { request in
            guard request.method == "GET" else { return nil }
            asked.withLock { $0 += 1 }
            for _ in 0..<100 { await Task.yield() }
            return WireAnswer(
                status: 206, body: Array(contents),
                headers: ["content-range": "bytes 0-5/6", "repr-digest": "sha-256=:\(digest):"])
        }
        let file = FileReference(guid: Film.newGuid(), filename: "poster.jpg")
        try await withThrowingTaskGroup(of: URL.self) { group in
            for _ in 0..<5 { group.addTask { [a] in try await a.contents(of: file) } }
            for try await place in group { #expect(try Data(contentsOf: place) == contents) }
        }
        #expect(asked.withLock { $0 } == 1)
    }

    private func answerUploads(_ status: Int, _ code: String) {
        detour.take { request in
            guard request.path.contains("/files/") else { return nil }
            return request.method == "PUT" ? .error(status, code) : .error(404, "fileUnknown")
        }
    }

    @Test(arguments: [(422, "digestWrong"), (409, "partElsewhere"), (409, "uploadOvertaken")])
    func uploadThatGetsNowhereEnds(status: Int, code: String) async throws {
        _ = try await a.attach(Data("poster".utf8), filename: "poster.jpg")
        answerUploads(status, code)
        await #expect(throws: SyncFailure.self) { try await a.sync() }
    }

    /// Contents that are gone or damaged cannot be sent: the records can.
    @Test(arguments: [nil, Data("damaged".utf8)])
    func lostContentsHoldUpNoRecord(contents: Data?) async throws {
        let file = try await a.attach(Data("poster".utf8), filename: "poster.jpg")
        let place = try #require(try a.localContents(of: file))
        try FileManager.default.removeItem(at: place)
        try contents?.write(to: place)
        answerUploads(422, "digestWrong")
        try await a.save(Film(title: "Solaris"))
        #expect(try await a.sync().accepted == 1)
    }

    /// The server limits the number of files that no record names; the files of records follow.
    @Test func looseFilesHoldUpNoOther() async throws {
        var files: [FileReference] = []
        for number in 0..<3 {
            files.append(try await a.attach(Data("\(number)".utf8), filename: "\(number)"))
        }
        let last = try #require(files.map(\.guid).max())
        let taken = Mutex<[String]>([])
        detour.take { request in
            guard request.path.contains("/files/") else { return nil }
            guard request.method == "PUT" else { return .error(404, "fileUnknown") }
            guard request.path.hasSuffix(last) else { return .error(429, "tooManyLooseFiles") }
            taken.withLock { $0.append(request.path) }
            return WireAnswer(status: 201, body: [])
        }
        try await a.sync()
        #expect(taken.withLock { $0 } == ["v1/test/files/\(last)"])
    }
}
