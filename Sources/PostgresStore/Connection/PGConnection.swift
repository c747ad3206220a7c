import CLibPQ
import Foundation

/// A connection to a server, for one caller at a time.
///
/// Statements are pipelined, so that many take one round trip, and prepared on first use. A call
/// waits at most `patienceSeconds` for the server.
final class PGConnection {
    private let connection: OpaquePointer
    private let patienceSeconds: Int32
    /// Names of prepared statements by their text.
    private var prepared: [String: String] = [:]
    private var lastName = 0
    private let planSeconds: Int
    private var plansSince = ContinuousClock.now
    private var plans = Plans.chosenByServer
    /// Batches that were sent but whose results are not yet read.
    private var unread: [[Expected]] = []
    /// The expected results of statements that were sent before the others of their batch.
    private var begun: [Expected] = []

    /// Throws `unreachable`. `planSeconds` is the time after which statements are planned anew.
    init(
        _ address: String, patienceSeconds: Int32, planSeconds: Int = 10
    ) throws(Failure) {
        self.patienceSeconds = patienceSeconds
        self.planSeconds = planSeconds
        guard let connection = connected(to: address) else {
            throw .unreachable("there is no memory for a connection")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else {
            throw .unreachable(lastMessage)
        }
        PQsetClientEncoding(connection, "UTF8")
        PQsetnonblocking(connection, 1)
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        guard PQenterPipelineMode(connection) == 1 else { throw .unreachable(lastMessage) }
    }

    deinit { PQfinish(connection) }

    /// Process id of the server's backend for this connection.
    var processID: Int64 { Int64(PQbackendPID(connection)) }

    /// False forever once the connection is lost, since the state of the pipeline is then unknown.
    private(set) var isGood = true

    /// Sends the statements and returns the rows of each. After a refused statement the later ones
    /// do not run.
    func exchange(_ statements: [Statement]) throws(Failure) -> [Rows] {
        try exchange(batches: [statements])[0].get()
    }

    /// Sends batches of statements in one round trip and returns the rows of each statement. After
    /// a refused statement the rest of its batch does not run; the next batch does. It must not
    /// have a statement that only the refused batch would have prepared.
    func exchange(
        batches: [[Statement]]
    ) throws(Failure) -> [Result<[Rows], Failure>] {
        try noting { () throws(Failure) in
            try discardOldPlans()
            let sent = try batches.map { batch throws(Failure) in try send(batch) }
            for batch in unread { _ = try receive(batch) }
            unread = []
            return try sent.map { batch throws(Failure) in try receive(batch) }
        }
    }

    /// Sends the statements as the beginning of the next exchange's first batch, so that the server
    /// carries them out meanwhile. The exchange gets no rows of them, but their refusal. Does not
    /// wait: what the server does not take yet is sent later.
    func begin(_ statements: [Statement]) throws(Failure) {
        try noting { () throws(Failure) in
            for statement in statements { try send(statement, as: .begun, expecting: &begun) }
            guard PQflush(connection) >= 0 else { throw .lost(lastMessage) }
        }
    }

    /// Sends the statements without waiting. The next exchange reads and discards their results.
    func post(_ statements: [Statement]) throws(Failure) {
        try noting { () throws(Failure) in
            unread.append(try send(statements))
            while true {
                let unsent = PQflush(connection)
                guard unsent >= 0 else { throw .lost(lastMessage) }
                guard unsent == 1 else { return }
                _ = try wait(for: Int16(POLLOUT), milliseconds: patienceSeconds * 1000)
                try consume()
            }
        }
    }

    /// A plan that was made for a small table may read all of it. The server replaces such a plan
    /// only when it analyzes the table again, which it may do a minute after the table has grown.
    private func discardOldPlans() throws(Failure) {
        let isDue = plansSince.duration(to: .now) >= .seconds(planSeconds)
        guard isDue, begun.isEmpty else { return }
        plansSince = .now
        unread.append(try send([Statement("DISCARD PLANS")]))
    }

    /// Sets which plans later statements have. No transaction may be open.
    func use(_ plans: Plans) throws(Failure) {
        guard plans != self.plans else { return }
        try noting { () throws(Failure) in
            unread.append(
                try send([Statement("SET plan_cache_mode TO \(plans.rawValue)")]))
        }
        self.plans = plans
    }

    private func noting<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            if case .lost = error { isGood = false }
            throw error
        }
    }

    private func receive(_ batch: [Expected]) throws(Failure) -> Result<[Rows], Failure> {
        var rows: [Rows] = []
        var refusal: Failure?
        for expectation in batch {
            let result = try nextResult()
            switch (PQresultStatus(result), expectation) {
            case (PGRES_TUPLES_OK, .rows), (PGRES_COMMAND_OK, .rows): rows.append(Rows(result))
            case (PGRES_TUPLES_OK, _), (PGRES_COMMAND_OK, _): PQclear(result)
            case (let status, _):
                if status != PGRES_PIPELINE_ABORTED { refusal = refusal ?? Failure(result) }
                if case .preparation(let text) = expectation { prepared[text] = nil }
                PQclear(result)
            }
            try endOfResults()
        }
        PQclear(try nextResult())
        return refusal.map { .failure($0) } ?? .success(rows)
    }

    /// Returns the notifications on the listened channels, as soon as there are any, or an empty
    /// list after the given time.
    func notifications(
        waitingMilliseconds: Int32
    ) throws(Failure) -> [(channel: String, payload: String)] {
        _ = try wait(for: Int16(POLLIN), milliseconds: waitingMilliseconds)
        try consume()
        var all: [(channel: String, payload: String)] = []
        while let notification = PQnotifies(connection) {
            all.append(
                (
                    String(cString: notification.pointee.relname),
                    String(cString: notification.pointee.extra)
                ))
            PQfreemem(notification)
        }
        return all
    }
}

/// The plans of prepared statements, by the value of `plan_cache_mode`.
enum Plans: String {
    /// Usually, the server compares the mean cost of the first plans, each of which is for the
    /// parameters of an execution, with the cost of a generic plan.
    case chosenByServer = "DEFAULT"
    /// Otherwise, the server would make a plan for each execution in a database that has grown
    /// since a statement was prepared, because the first plans were for smaller tables and look
    /// cheaper. That takes longer than to execute a small statement.
    case generic = "force_generic_plan"
}

/// An expected result of the pipeline.
private enum Expected {
    case preparation(of: String)
    case rows
    /// The rows of a statement that was sent before the others of its batch. They are discarded.
    case begun
}

// MARK: - Sending

extension PGConnection {
    private func send(_ batch: [Statement]) throws(Failure) -> [Expected] {
        var expected = begun
        begun = []
        for statement in batch { try send(statement, as: .rows, expecting: &expected) }
        try check(PQpipelineSync(connection))
        return expected
    }

    private func send(
        _ statement: Statement, as result: Expected, expecting expected: inout [Expected]
    ) throws(Failure) {
        if let name = prepared[statement.text] {
            try send(statement, as: name)
        } else {
            lastName += 1
            let name = "w\(lastName)"
            let types = statement.parameters.map(\.type)
            try check(
                PQsendPrepare(connection, name, statement.text, Int32(types.count), types))
            expected.append(.preparation(of: statement.text))
            prepared[statement.text] = name
            try send(statement, as: name)
        }
        expected.append(result)
    }

    private func send(_ statement: Statement, as name: String) throws(Failure) {
        let formats = [Int32](repeating: 1, count: statement.parameters.count)
        let sent = EncodedParameters(statement.parameters).withValues { values, lengths in
            PQsendQueryPrepared(
                connection, name, Int32(values.count), values, lengths, formats, 1)
        }
        try check(sent)
    }

    private func check(_ success: Int32) throws(Failure) {
        guard success == 1 else { throw .lost(lastMessage) }
    }
}

// MARK: - Receiving

extension PGConnection {
    private func nextResult() throws(Failure) -> OpaquePointer {
        guard let result = try result() else { throw .lost("an answer is missing") }
        return result
    }

    /// A statement's results end with a null result.
    private func endOfResults() throws(Failure) {
        while let result = try result() { PQclear(result) }
    }

    private func result() throws(Failure) -> OpaquePointer? {
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw .lost(lastMessage) }
            guard PQisBusy(connection) == 1 else { break }
            let events = Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0)
            guard try wait(for: events, milliseconds: patienceSeconds * 1000) else {
                throw .lost("the server has not answered for \(patienceSeconds) seconds")
            }
            try consume()
        }
        let result = PQgetResult(connection)
        if PQstatus(connection) != CONNECTION_OK {
            PQclear(result)
            throw .lost(lastMessage)
        }
        return result
    }

    private func consume() throws(Failure) {
        guard PQconsumeInput(connection) == 1 else { throw .lost(lastMessage) }
    }

    /// Returns false on a timeout.
    private func wait(for events: Int16, milliseconds: Int32) throws(Failure) -> Bool {
        var socket = pollfd(fd: PQsocket(connection), events: events, revents: 0)
        guard socket.fd >= 0 else { throw .lost(lastMessage) }
        let count = poll(&socket, 1, milliseconds)
        // The caller repeats a wait that a signal has interrupted.
        return count != 0
    }

    private var lastMessage: String { message(PQerrorMessage(connection)) }
}

extension Failure {
    fileprivate init(_ result: OpaquePointer) {
        let code = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
        let text = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
        self = .refused(code: message(code), message: message(text))
    }
}

/// Joins the lines of a message.
private func message(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
}

/// Connects. The address, libpq's defaults and its environment variables apply, with timeouts
/// against an unresponsive network.
private func connected(to address: String) -> OpaquePointer? {
    let settings: KeyValuePairs = [
        "connect_timeout": "10", "tcp_user_timeout": "30000", "keepalives_idle": "30",
        "keepalives_interval": "10", "fallback_application_name": "waggle", "dbname": address,
    ]
    var names = settings.map { strdup($0.key) } + [nil]
    var values = settings.map { strdup($0.value) } + [nil]
    defer { for text in names + values { free(text) } }
    return names.withUnsafeMutableBufferPointer { names in
        values.withUnsafeMutableBufferPointer { values in
            names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
                values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
                    PQconnectdbParams(names.baseAddress, values.baseAddress, 1)
                }
            }
        }
    }
}
