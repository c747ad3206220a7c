import JSON

/// The queue of changes of a client of Azure Mobile, which sends one request for each, and its
/// handler of conflicts. The first answer to each request is lost.
struct AzureQueue {
    /// The side that the user picks on a conflict.
    enum Handler: String, CaseIterable, Sendable { case client, server, cancel }

    private enum Verb: String {
        case insert = "POST"
        case update = "PATCH"
        case delete = "DELETE"
    }

    private struct Operation {
        let verb: Verb
        let id: String
        /// The version that the client has seen.
        var version: JSONValue?
        /// Whether it is sent without a version.
        var isForced = false
    }

    /// The rows of the client.
    var pull: AzurePull
    private var operations: [Operation] = []
    private var asked: Set<String> = []
    /// The ids of the rows whose changes were refused.
    private(set) var refused: [String] = []
    private(set) var conflicts = 0

    init(_ kind: AzurePull.Kind, _ server: RunningServer, path: String) {
        pull = AzurePull(kind, server, path: path)
    }

    var isEmpty: Bool { operations.isEmpty }

    mutating func insert(_ id: String, _ columns: [String: JSONValue]) {
        pull.rows[id] = columns.merging(["id": .string(id)]) { $1 }
        operations.append(Operation(verb: .insert, id: id))
    }

    mutating func update(_ id: String, _ columns: [String: JSONValue]) {
        pull.rows[id]?.merge(columns) { $1 }
        let version = pull.rows[id]?[pull.name("version")]
        operations.append(Operation(verb: .update, id: id, version: version))
    }

    mutating func delete(_ id: String) {
        let row = pull.rows.removeValue(forKey: id)
        operations.append(Operation(verb: .delete, id: id, version: row?[pull.name("version")]))
    }

    /// Sends what waits, oldest first. Returns false if the user cancelled; then all that was not
    /// sent stays. `whenLost` gets the id of the row after each answer that is lost.
    mutating func push(
        _ handler: Handler, whenLost: (String) async throws -> Void = { _ in }
    ) async throws -> Bool {
        while let operation = operations.first {
            let answer = try await send(operation)
            let row = JSONValue.object(pull.rows[operation.id] ?? [:])
            guard !asked.insert("\(operation) \(row.text)").inserted else {
                // The client stops, and begins again here.
                try await whenLost(operation.id)
                continue
            }
            guard try settle(operation, answer, handler) else { return false }
        }
        return true
    }

    private func send(_ operation: Operation) async throws -> Answer {
        var headers: [String: String] = [:]
        if let version = operation.version?.string, !operation.isForced {
            headers["If-Match"] = "\"\(version)\""
        }
        let isThird = [.datasync, .earlyDatasync, .toolkit].contains(pull.kind)
        let isUpdate = operation.verb == .update
        let method = isThird && isUpdate ? "PUT" : operation.verb.rawValue
        let target =
            operation.verb == .insert ? pull.path : "\(pull.path)/\(operation.id)"
        let row = pull.rows[operation.id]?.filter { !$0.key.hasPrefix("__") }
        return try await pull.client.ask(
            method, target, operation.verb == .delete ? nil : row,
            query: pull.kind == .services ? [("__systemproperties", "*")] : [],
            headers: headers)
    }

    /// Takes an answer. Returns false if the user cancels.
    private mutating func settle(
        _ operation: Operation, _ answer: Answer, _ handler: Handler
    ) throws -> Bool {
        if isDone(operation.verb, answer.status) {
            if operation.verb != .delete { store(try answer.row()) }
        } else if answer.status == 412 {
            return try resolve(operation, try answer.row(), handler)
        } else if answer.status == 409, takesConflict(try answer.row()) {
            return try resolve(operation, try answer.row(), handler)
        } else if mayRefuse(operation.verb, answer.status) {
            refused.append(operation.id)
            pull.rows[operation.id] = nil
        } else {
            // The queue stops, or tries the same again for ever.
            throw try pull.client.server.refusal(answer)
        }
        operations.removeFirst()
        return true
    }

    private func isDone(_ verb: Verb, _ status: Int) -> Bool {
        switch verb {
        case .insert: status == 201
        case .update: status == 200
        case .delete: status == 204 || forgetsDeletion && (status == 404 || status == 410)
        }
    }

    /// Whether the queue goes on after a refusal.
    private func mayRefuse(_ verb: Verb, _ status: Int) -> Bool {
        guard verb != .delete else { return false }
        let refusals = pull.kind == .javaScript ? [409] : [400, 403, 404, 409, 410]
        return refusals.contains(status)
    }

    private var forgetsDeletion: Bool {
        [.dotNet, .android, .datasync, .earlyDatasync, .toolkit].contains(pull.kind)
    }

    /// Whether the client takes the body of 409 for the row of the server.
    private func takesConflict(_ row: [String: JSONValue]) -> Bool {
        switch pull.kind {
        case .services, .iOS, .javaScript, .android: false
        case .dotNet, .datasync, .earlyDatasync: row["id"] != nil
        case .toolkit: true
        }
    }

    private mutating func store(_ row: [String: JSONValue]) {
        guard let id = row["id"]?.string else { return }
        pull.rows[id] = row[pull.name("deleted")] == .boolean(true) ? nil : row
    }

    private mutating func resolve(
        _ operation: Operation, _ row: [String: JSONValue], _ handler: Handler
    ) throws -> Bool {
        guard row["id"]?.string == operation.id, let version = row[pull.name("version")] else {
            throw Unexpected("a conflict has no row: \(row)")
        }
        conflicts += 1
        switch handler {
        case .cancel: return false
        case .server:
            store(row)
            operations.removeFirst()
        case .client:
            operations[0].version = version
            operations[0].isForced = pull.kind == .toolkit
            let name = pull.name("version")
            if operation.verb == .update { pull.rows[operation.id]?[name] = version }
        }
        return true
    }
}
