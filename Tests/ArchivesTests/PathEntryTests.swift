import Archives
import Foundation
import Testing

@Suite struct PathEntryTests {
    @Test(arguments: [
        ("a/b.txt", nil), ("a/b/c.txt", nil), ("../a", EntryFault.nameIsPath),
        ("a/../b", .nameIsPath), ("/a", .nameEmpty), ("a//b", .nameEmpty), ("a/", .nameEmpty),
        ("a\\b/c", .nameIsPath), ("a\n/b", .nameHasControlCharacter),
    ])
    func eachPartOfPathIsName(path: String, fault: EntryFault?) throws {
        let folder = try TemporaryFolder()
        let writer = try ArchiveWriter(path: folder.path("a.zip"), modifiedSeconds: 0)
        do {
            try writer.add(path: path, bytes: [1])
            try writer.finish()
            #expect(fault == nil)
        } catch ArchiveError.entry(_, let found) {
            #expect(found == fault)
        }
    }
}
