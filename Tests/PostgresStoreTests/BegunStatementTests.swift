import PostgresKit
import TestKit
import Testing

@testable import PostgresStore

@Suite("Statements that are sent before the others of their batch", .timeLimit(.minutes(20)))
struct BegunStatementTests {
    private static let count = Statement("SELECT count(*) FROM numbers")

    private func withConnection(
        planSeconds: Int = 10, _ body: (PGConnection) throws -> Void
    ) throws {
        let database = try PostgresCluster.shared().makeDatabase()
        defer { withExtendedLifetime(database) {} }
        let connection = try PGConnection(
            database.address, patienceSeconds: 30, planSeconds: planSeconds)
        _ = try connection.exchange([
            Statement("CREATE TEMPORARY TABLE numbers (id bigint PRIMARY KEY)")
        ])
        try body(connection)
    }

    private func insertion(of number: Int64) -> Statement {
        Statement("INSERT INTO numbers VALUES ($1) RETURNING id", [.integer(number)])
    }

    private func number(_ rows: [Rows]) throws -> Int64? {
        var row = rows.first?.first
        return try row?.int64()
    }

    @Test func precedeTheBatch() throws {
        try withConnection { connection in
            for round in Int64(1)...3 {
                try connection.begin([insertion(of: 2 * round), Self.count])
                try connection.begin([insertion(of: 2 * round + 1)])
                let rows = try connection.exchange([Self.count])
                #expect(rows.count == 1)
                #expect(try number(rows) == 2 * round)
            }
        }
    }

    /// The batch is refused for the same reason, and nothing of it is done. The next one is carried
    /// out. Old plans are dropped by a batch of its own, whose refusal nobody reads: it must not
    /// take the statements in.
    @Test(arguments: [0, 10])
    func refusalIsOfTheBatch(planSeconds: Int) throws {
        try withConnection(planSeconds: planSeconds) { connection in
            _ = try connection.exchange([insertion(of: 1), Self.count])
            try connection.begin([insertion(of: 2), insertion(of: 1)])
            let results = try connection.exchange(batches: [
                [insertion(of: 3), Self.count], [Self.count],
            ])
            #expect {
                try results[0].get()
            } throws: { error in
                (error as? Failure)?.isOfTakenKey == true
            }
            #expect(try number(results[1].get()) == 1)
            #expect(connection.isGood)
            #expect(try number(connection.exchange([insertion(of: 3)])) == 3)
        }
    }

    /// The transaction fails for another reason, before anybody has read the refusal.
    @Test func refusedOnesAreRolledBack() throws {
        try withConnection { connection in
            _ = try connection.exchange([insertion(of: 1)])
            let ending = PGTransaction.write(
                on: connection,
                { transaction -> Bool in
                    _ = try transaction.rows(of: [insertion(of: 2)])
                    try transaction.begin([insertion(of: 1)])
                    throw CancellationError()
                }, then: .nothing)
            guard case .failed(let error) = ending else {
                Issue.record("it has not failed")
                return
            }
            #expect(error is CancellationError)
            #expect(try number(connection.exchange([Self.count])) == 1)
        }
    }

    /// Their results are not awaited, so those of the next batch need not be either.
    @Test func precedePostedBatch() throws {
        try withConnection { connection in
            try connection.begin([insertion(of: 1)])
            try connection.post([insertion(of: 2)])
            #expect(try number(connection.exchange([Self.count])) == 2)
        }
    }
}
