/// A transaction, used on the thread of its connection.
final class PGTransaction {
    private let connection: PGConnection
    private var upcoming: [Statement]
    /// Nil until it is known, at the latest before the commit.
    private(set) var id: TransactionID?

    private init(_ connection: PGConnection, opening: [Statement]) {
        self.connection = connection
        upcoming = opening
    }

    /// Sends the statement with the next request.
    func later(_ text: String) { later([Statement(text)]) }

    /// Sends the statements with the next request, or with the commit.
    func later(_ statements: [Statement]) { upcoming += statements }

    /// Sends the statements without waiting, after all earlier ones. A refusal of any is thrown by
    /// the next request, or by the commit. Their rows are not read.
    func begin(_ statements: [Statement]) throws {
        guard upcoming.isEmpty else { return later(statements) }
        try connection.begin(statements)
    }

    func rows(_ text: String, _ parameters: [Parameter] = []) throws -> Rows {
        try rows(of: [Statement(text, parameters)])[0]
    }

    /// Takes one round trip. After a refused statement the later ones do not run.
    func rows(of statements: [Statement]) throws -> [Rows] {
        let opening = upcoming
        upcoming = []
        let rows = try connection.exchange(opening + statements)
        if let place = opening.firstIndex(where: { $0.text == Self.number.text }) {
            var row = rows[place].first
            try note(number: try row?.int64())
        }
        return Array(rows.dropFirst(opening.count))
    }

    /// Notes the number, which a statement of the caller has selected.
    func note(number: Int64?) throws {
        guard let number else { throw Failure.lost("a transaction has no number") }
        id = TransactionID(number: number, processID: connection.processID)
    }

    private static let number = Statement("SELECT pg_current_xact_id()::text::bigint")
}

/// Identifies a transaction on the server, even after its connection is lost.
struct TransactionID: Hashable, Sendable {
    let number: Int64
    let processID: Int64
}

/// The end of a write transaction.
enum Ending<Value: Sendable>: Sendable {
    case committed(Value)
    /// Nothing was written.
    case failed(any Error)
    /// The connection was lost during the commit.
    case unknown(Value, TransactionID)
}

/// A read in the same round trip as a commit, after the commit.
struct ReadAfterCommit<Written: Sendable, Value: Sendable>: Sendable {
    let statements: @Sendable (Written) -> [Statement]
    /// Gets the rows of the statements; nil if they could not be read.
    let value: @Sendable (Written, [Rows]?) -> Value
}

extension ReadAfterCommit where Written == Value {
    static var nothing: ReadAfterCommit {
        ReadAfterCommit(statements: { _ in [] }, value: { written, _ in written })
    }
}

extension PGTransaction {
    /// Runs `body` in a read-committed transaction: each statement sees what is committed when it
    /// starts, so `body` must lock what it decides on. Statements that `body` defers are sent with
    /// the commit. A body that `notesNumber` selects the transaction's number itself.
    static func write<Written, Value>(
        on connection: PGConnection, notesNumber: Bool = false,
        _ body: (PGTransaction) throws -> Written, then after: ReadAfterCommit<Written, Value>
    ) -> Ending<Value> {
        let transaction = PGTransaction(
            connection, opening: [Statement("BEGIN")] + (notesNumber ? [] : [number]))
        let written: Written
        do {
            written = try body(transaction)
            if transaction.id == nil { try transaction.askNumber() }
        } catch {
            transaction.rollBack()
            return .failed(error)
        }
        do throws(Failure) {
            let rows = try transaction.commit(then: after.statements(written))
            return .committed(after.value(written, rows))
        } catch {
            if case .lost = error, let id = transaction.id {
                return .unknown(after.value(written, nil), id)
            }
            transaction.rollBack()
            return .failed(error)
        }
    }

    private func askNumber() throws {
        if !upcoming.contains(where: { $0.text == Self.number.text }) { later([Self.number]) }
        _ = try rows(of: [])
    }

    /// Commits, and returns the rows of `reading`; nil if that read was refused.
    private func commit(then reading: [Statement]) throws(Failure) -> [Rows]? {
        let ending = upcoming + [Statement("COMMIT")]
        let results = try connection.exchange(
            batches: reading.isEmpty ? [ending] : [ending, reading])
        guard try results[0].get().last?.tag == "COMMIT" else {
            throw .refused(code: "25P02", message: "it was rolled back")
        }
        return reading.isEmpty ? [] : try? results[1].get()
    }

    /// Runs `body` in a read-only transaction on one snapshot. Does not wait for its end.
    static func read<Value>(
        on connection: PGConnection, _ body: (PGTransaction) throws -> Value
    ) throws -> Value {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        let transaction = PGTransaction(connection, opening: [Statement(begin)])
        do {
            let value = try body(transaction)
            try connection.post([Statement("COMMIT")])
            return value
        } catch {
            transaction.rollBack()
            throw error
        }
    }

    /// Runs `body` without a transaction, in one round trip. Only a single statement sees one
    /// snapshot.
    static func ask<Value>(
        on connection: PGConnection, _ body: (PGTransaction) throws -> Value
    ) throws -> Value {
        try body(PGTransaction(connection, opening: []))
    }

    /// Rolls back, unless the connection is lost: then the server does. A refusal of statements
    /// that were begun must not prevent this.
    private func rollBack() {
        guard connection.isGood else { return }
        _ = try? connection.exchange(batches: [[], [Statement("ROLLBACK")]])
    }
}
