import AccessPolicy
import DefinitionModel
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("A cursor says how far its device has seen, and of what")
struct CursorTests {
    @Test(arguments: [(Int64(0), UInt64(0)), (1, 1), (.max, .max)])
    func itsTokenReadsBackAsItself(sequence: Int64, rights: UInt64) throws {
        let cursor = Cursor(instance: "i-1", sequence: sequence, rights: rights)
        #expect(Cursor(token: cursor.token) == cursor)
        #expect(cursor.token.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test(arguments: [
        "c1.i.-1.1", "c1.i.+1.1", "c1.i.01.1", "c1.i.1.-1", "c2.i.1.1", "c1.i.1", "c1.i.1.1.1",
        "c1.i.A.1", "c1.i.1z141z4.1 ", "c1.i.1.3w5e11264sgsg", "",
        "c1." + String(repeating: "i", count: 122) + ".1.1",
    ])
    func whatItDidNotWriteIsUnreadable(token: String) {
        #expect(Cursor(token: token) == nil)
    }

    @Test func itIsAtMost128BytesLong() {
        #expect(Cursor(token: "c1." + String(repeating: "i", count: 121) + ".1.1") != nil)
    }

    /// Each differs from the first in one thing; the last only in where one part ends.
    @Test func whateverDecidesWhatIsSeenIsInTheRights() {
        let people = [
            ("version", "anna", "users", "mobile"), ("other", "anna", "users", "mobile"),
            ("version", "bert", "users", "mobile"), ("version", "anna", "guests", "mobile"),
            ("version", "anna", "users", "desk"), ("version", "annau", "sers", "mobile"),
        ]
        let rights = people.map { fingerprint, login, group, category in
            Cursor.rights(
                of: Asker(
                    login: login, group: group,
                    role: Role(group: group, deviceCategory: category)),
                fingerprint: fingerprint)
        }
        #expect(Set(rights).count == people.count)
    }

    /// Clients hold on to their cursors over a restart and an update of the server.
    @Test func theRightsAreTheSameInEveryProcess() {
        let asker = Asker(
            login: "a", group: "g", role: Role(group: "g", deviceCategory: "m"))
        #expect(Cursor.rights(of: asker, fingerprint: "d") == 7_331_836_123_086_582_942)
    }

    /// A database that was put back to an earlier state has not what the cursor has seen.
    @Test func aCursorFromTheFutureIsForeign() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        let cursor = try await a.sync().cursor
        for (sequence, isKnown) in [(Int64(1), false), (2, true), (3, true)] {
            let caller = Caller(
                asker: a.asker, deviceIdentifier: a.device, isAdmin: false, sequence: sequence)
            let request = SyncRequest(cursor: cursor)
            let now = Instant(milliseconds: 0)
            if isKnown {
                _ = try await bench.engine.sync(request, from: caller, at: now)
            } else {
                await #expect(throws: SyncError.cursorForeign) {
                    try await bench.engine.sync(request, from: caller, at: now)
                }
            }
        }
    }
}
