import SQLiteStore
import Testing

@Suite("Several programs open and close one file") struct OpeningTests {
    /// Whoever closes it last moves the log into it, and lets nobody else look meanwhile.
    @Test func whoOpensItWaitsForWhoCloses() async throws {
        let test = try TestDatabase()
        try test.database.close()
        let path = test.path
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 { try SQLiteDatabase(path: path).close() }
                }
            }
            try await group.waitForAll()
        }
    }
}
