import Foundation
import TestKit
import Testing
import Waggle

@testable import KilledDevice

/// The client library with a real server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DeviceTests {
    private let site: Site
    private let server: RunningServer
    private let compiled: String

    init() async throws {
        site = try await Site.withFiles()
        server = try await RunningServer(site: site)
        compiled = try await Tool.run(["compile", site.definition], in: site.folder).output
    }

    private func device(_ name: String, port: Int? = nil) throws -> Waggle.Database {
        let address = try #require(URL(string: "http://127.0.0.1:\(port ?? server.port)"))
        return try Waggle.Database(
            try AppDefinition(json: compiled),
            Settings(
                mode: .test, server: address, deviceCategory: "mobile",
                folder: URL(filePath: site.folder.path(name))))
    }

    private func loggedIn(
        _ login: String, on name: String? = nil, port: Int? = nil
    ) async throws -> Waggle.Database {
        let database = try device(name ?? "device of \(login)", port: port)
        try await database.logIn(login, password: PreparedDatabase.password(of: login))
        return database
    }

    @Test func twoDevicesComeTogether() async throws {
        let (a, b) = (try await loggedIn("a"), try await loggedIn("b"))
        try await a.save(PermissionsEntity(title: "Solaris", director: "Tarkovsky"))
        #expect(try await a.sync().accepted == 1)
        #expect(try await b.sync().received == 1)
        var film = try #require(try await b.list(PermissionsEntity.self).first)
        #expect(film.title == "Solaris" && film.director == .hidden && film.owner == "a")
        film.title = "Solyaris"
        try await b.save(film)
        try await b.sync()
        try await a.sync()
        let mine = try #require(try await a.list(PermissionsEntity.self).first)
        #expect(mine.title == "Solyaris" && mine.director == "Tarkovsky")
        try await a.logOut()
        await #expect(throws: SyncFailure.notLoggedIn) { try await a.sync() }
    }

    /// The distance of the cuts in bytes; `WAGGLE_CUT_STRIDE=1` tests every one.
    private static let stride =
        ProcessInfo.processInfo.environment["WAGGLE_CUT_STRIDE"].flatMap { Int($0) } ?? 11

    /// The request or the answer is cut at every point: each saved record arrives once, and the
    /// next sync continues.
    @Test func connectionThatIsCutAnywhere() async throws {
        let proxy = try CuttingProxy(to: server.port)
        let a = try await loggedIn("a", port: proxy.port)
        let b = try await loggedIn("b")
        // The first sync sends other requests than later ones, and a sync after a cut repeats them.
        var saved: Set<String> = ["film a", "film b"]
        try await a.save(PermissionsEntity(title: "film a"))
        #expect(try await isCutOff(a, proxy, .request(afterBytes: 0)))
        #expect(try await !isCutOff(a, proxy, nil))
        try await a.save(PermissionsEntity(title: "film b"))
        #expect(try await !isCutOff(a, proxy, nil))
        let sizes = proxy.lastSizes
        #expect(sizes.request > 300 && sizes.answer > 300)
        let places =
            Swift.stride(from: 0, to: sizes.request, by: Self.stride).map {
                CuttingProxy.Cut.request(afterBytes: $0)
            }
            + Swift.stride(from: 0, to: sizes.answer, by: Self.stride).map {
                .answer(afterBytes: $0)
            }
        for (number, place) in places.enumerated() {
            let title = "film \(number)"
            try await a.save(PermissionsEntity(title: title))
            saved.insert(title)
            #expect(try await isCutOff(a, proxy, place), "\(place)")
            #expect(try await !isCutOff(a, proxy, nil), "\(place)")
        }
        try await b.sync()
        let titles = try await b.list(PermissionsEntity.self).map(\.title)
        #expect(titles.count == saved.count && Set(titles) == saved)
        #expect(try await a.count(PermissionsEntity.self) == saved.count)
        #expect(try await a.refusedChanges().isEmpty)
    }

    /// Whether a sync failed because of its connection.
    private func isCutOff(
        _ database: Waggle.Database, _ proxy: CuttingProxy, _ cut: CuttingProxy.Cut?
    ) async throws -> Bool {
        proxy.cut(at: cut)
        do {
            try await database.sync()
            return false
        } catch {
            guard case .unreachable = error else { throw error }
            return true
        }
    }

    @Test func filesGoWithTheirRecords() async throws {
        let (a, b) = (try await loggedIn("a"), try await loggedIn("b"))
        let contents = someBytes(3_000_000)
        let poster = try await a.attach(contents, filename: "poster.jpg")
        let empty = try await a.attach(Data(), filename: "empty")
        try await a.save(PermissionsEntity(poster: poster, title: "Solaris"))
        try await a.save(PermissionsEntity(poster: empty, title: "Empty"))
        let progress = a.progress()
        try await a.sync()
        var sent: Int64 = 0
        for await step in progress {
            if case .uploading(_, let bytes, let all) = step {
                #expect(bytes > sent && all == 3_000_000)
                sent = bytes
            }
            if case .finished = step { break }
        }
        #expect(sent > 0)

        try await b.sync()
        for (title, expected) in [("Solaris", contents), ("Empty", Data())] {
            let film = try #require(
                try await b.find(PermissionsEntity.self).where(\.title == title).unique())
            let file = try #require(film.poster)
            #expect(try b.localContents(of: file) == nil, "it comes when it is asked for")
            #expect(try Data(contentsOf: try await b.contents(of: file)) == expected)
            #expect(try b.localContents(of: file) != nil)
            try await b.forgetContents(of: file)
            #expect(try b.localContents(of: file) == nil)
        }
    }

    @Test func nothingOnDeviceHoldsPassword() async throws {
        let a = try await loggedIn("a")
        try await a.save(PermissionsEntity(title: "Solaris"))
        try await a.sync()
        let password = Data(PreparedDatabase.password(of: "a").utf8)
        let files = try site.folder.files().filter { $0.key.hasPrefix("device of a") }
        #expect(files.keys.contains { $0.hasSuffix(".sqlite") })
        for (name, bytes) in files { #expect(bytes.range(of: password) == nil, "\(name)") }
        for name in ["device.json", "tokens.json"] {
            let path = site.folder.path("device of a/\(name)")
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(rights as? Int == 0o600, "\(name)")
        }
    }
}
