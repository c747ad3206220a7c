import SyncEngine
import Testing

@testable import ParseWire

@Suite struct PasswordChangesTests {
    @Test func changeIsKnownForSomeTime() {
        let changes = PasswordChanges(max: 2, seconds: 10)
        func login(_ key: String, at seconds: Int64) -> String? {
            changes.login(of: key, at: Instant(milliseconds: 1000 * seconds))
        }
        for (second, key) in ["a", "b", "c"].enumerated() {
            changes.note(key, of: "user \(key)", at: Instant(milliseconds: 1000 * Int64(second)))
        }
        #expect(login("a", at: 3) == nil, "the oldest")
        #expect(login("b", at: 3) == "user b" && login("c", at: 11) == "user c")
        #expect(login("b", at: 11) == nil)
    }
}
