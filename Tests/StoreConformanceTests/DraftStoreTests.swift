import Administration
import SyncEngine
import Testing

@Suite("A store keeps drafts, and overwrites none that its author has not seen")
struct DraftStoreTests {
    private func draft(
        _ name: String, _ text: String, base: Int64 = 0, by author: String = "ann"
    ) -> WrittenDraft {
        WrittenDraft(
            name: name, source: Array(text.utf8), author: author,
            writtenAt: Instant(milliseconds: 5 + base), base: base)
    }

    @Test(arguments: stores)
    func newestTextIsReturned(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let second = draft("notes", "second", base: 1, by: "ben")
        #expect(try await bench.store.draft(named: "notes")?.source == nil)
        #expect(try await bench.store.write(draft("notes", "first"), upTo: 9))
        #expect(try await bench.store.write(second, upTo: 9))
        let found = try #require(try await bench.store.draft(named: "notes"))
        #expect(found.0 == second.stored)
        #expect(found.0.revision == 2)
        #expect(found.source == Array("second".utf8))
    }

    @Test(arguments: stores)
    func staleWriteChangesNothing(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        #expect(try await bench.store.write(draft("notes", "first"), upTo: 9))
        for base in [0, 2] as [Int64] {
            let isWritten = try await bench.store.write(
                draft("notes", "other", base: base), upTo: 9)
            #expect(!isWritten)
        }
        #expect(try await bench.store.write(draft("gone", "text", base: 1), upTo: 9) == false)
        #expect(try await bench.store.drafts() == [draft("notes", "first").stored])
    }

    @Test(arguments: stores)
    func draftsAreSortedLimitedAndRemoved(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        for name in ["b", "a", "Z"] {
            #expect(try await bench.store.write(draft(name, name), upTo: 3))
        }
        #expect(try await bench.store.write(draft("c", "c"), upTo: 3) == false)
        #expect(try await bench.store.write(draft("a", "aa", base: 1), upTo: 3))
        #expect(try await bench.store.drafts().map(\.name) == ["Z", "a", "b"])
        #expect(try await bench.store.removeDraft(named: "a"))
        #expect(try await bench.store.removeDraft(named: "a") == false)
        #expect(try await bench.store.drafts().map(\.name) == ["Z", "b"])
    }
}
