/// What is asked of a server in one transaction, on the connection's thread.
final class Transaction {
    private let link: Link
    private var upcoming: [Statement]
    /// Nil until something was sent.
    private(set) var id: TransactionID?

    private init(_ link: Link, opening: [Statement]) {
        self.link = link
        upcoming = opening
    }

    /// To be sent before whatever is asked for next.
    func later(_ text: String) { upcoming.append(Statement(text)) }

    func rows(_ text: String, _ parameters: [Parameter] = []) throws -> Rows {
        try rows(of: [Statement(text, parameters)])[0]
    }

    /// Takes one way there and back. When one is refused the rest of them is not carried out.
    func rows(of statements: [Statement]) throws -> [Rows] {
        let opening = upcoming
        upcoming = []
        let rows = try link.exchange(opening + statements)
        if let place = opening.firstIndex(where: { $0.text == Self.number.text }) {
            id = try TransactionID(rows[place], processID: link.processID)
        }
        return Array(rows.dropFirst(opening.count))
    }

    private static let number = Statement("SELECT pg_current_xact_id()::text::bigint")
}

/// By what a server knows a transaction, also when the connection is gone.
struct TransactionID: Hashable, Sendable {
    let number: Int64
    let processID: Int64

    init(_ rows: Rows, processID: Int64) throws {
        guard var row = rows.first else { throw Failure.lost("a transaction has no number") }
        number = try row.int64()
        self.processID = processID
    }
}

/// How a transaction that writes ended.
enum Ending<Value: Sendable>: Sendable {
    case committed(Value)
    /// Nothing was written.
    case failed(any Error)
    /// The connection was lost while it was being committed.
    case unknown(Value, TransactionID)
}

extension Transaction {
    /// Every statement sees what is committed when it begins: who locks first, decides on what is.
    static func write<Value: Sendable>(
        on link: Link, _ body: (Transaction) throws -> Value
    ) -> Ending<Value> {
        let transaction = Transaction(link, opening: [Statement("BEGIN"), number])
        let value: Value
        do {
            value = try body(transaction)
            // What was left for later, or was never begun.
            if !transaction.upcoming.isEmpty { _ = try transaction.rows(of: []) }
        } catch {
            transaction.rollBack()
            return .failed(error)
        }
        do throws(Failure) {
            let end = try link.exchange([Statement("COMMIT")])
            guard end.first?.tag == "COMMIT" else {
                return .failed(Failure.refused(code: "25P02", message: "it was rolled back"))
            }
            return .committed(value)
        } catch {
            guard case .lost = error, let id = transaction.id else { return .failed(error) }
            return .unknown(value, id)
        }
    }

    /// One snapshot for all.
    static func read<Value>(
        on link: Link, _ body: (Transaction) throws -> Value
    ) throws -> Value {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        let transaction = Transaction(link, opening: [Statement(begin)])
        do {
            let value = try body(transaction)
            _ = try link.exchange([Statement("COMMIT")])
            return value
        } catch {
            transaction.rollBack()
            throw error
        }
    }

    /// One way there and back, and whatever it asks for is one snapshot only if it is one
    /// statement.
    static func ask<Value>(
        on link: Link, _ body: (Transaction) throws -> Value
    ) throws -> Value {
        try body(Transaction(link, opening: []))
    }

    /// Of a lost connection the server does it.
    private func rollBack() {
        guard link.isGood else { return }
        _ = try? link.exchange([Statement("ROLLBACK")])
    }
}
