import SQLiteStore
import Testing

@Suite("Several processes open and close one file") struct OpeningTests {
    /// The last process to close the file checkpoints the log, and locks the file meanwhile.
    @Test func openingWaitsForClosingProcess() async throws {
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
