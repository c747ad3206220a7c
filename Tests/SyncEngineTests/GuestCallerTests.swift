import EngineKit
import JSON
import RecordSearch
import SyncEngine
import SyncProtocol
import TestKit
import Testing
import UserAccounts

/// The user as whom clients without a session act.
@Suite struct GuestCallerTests {
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.notes())
        for login in ["a", "g"] {
            try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: true, passwordHash: "h")
        }
        _ = try await bench.person("a").push(
            create(1, ["title": "t", "secret": "s", "sealed": "x"]))
    }

    @Test func guestHasRightsOfItsUserAndIsNoAdmin() async throws {
        let guest = try await bench.engine.guestCaller(
            "g", deviceCategory: "mobile", device: "one")
        #expect(guest.login == "g" && !guest.isAdmin && guest.deviceIdentifier == "one")
        let signedIn = try await bench.person("g").caller()
        let seen = try await bench.engine.find(FindQuery(), of: "Note", for: signedIn)
        #expect(seen.records.count == 1)
        #expect(try await bench.engine.find(FindQuery(), of: "Note", for: guest) == seen)
    }

    @Test func guestMustBeUserWithRole() async throws {
        await #expect(throws: SyncError.account(.unknown("nobody"))) {
            try await bench.engine.guestCaller(
                "nobody", deviceCategory: "mobile", device: "one")
        }
        await #expect(throws: SyncError.self) {
            try await bench.engine.guestCaller("g", deviceCategory: "fridge", device: "one")
        }
    }
}
