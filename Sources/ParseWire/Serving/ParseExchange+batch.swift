import JSON
import SyncEngine
import SyncServer

/// Several operations in one request.
extension ParseExchange {
    /// `POST /batch {"requests":[{"method","path","body"}],"transaction"?}`.
    func batch() async throws -> ParseAnswer {
        guard case .array(let requests)? = call.body["requests"] else {
            throw ParseFailure.badJSON("requests must be an array")
        }
        guard requests.count <= engine.limits.changes else {
            throw ParseFailure(116, "a batch has \(engine.limits.changes) requests at most")
        }
        var operations: [Result<ParseOperation, ParseFailure>] = []
        for request in requests { operations.append(try operation(request)) }
        let caller = try await caller()
        var ownID: String?
        for (index, operation) in operations.enumerated() {
            guard case .success(let operation) = operation,
                operation.className == Self.userClass
            else { continue }
            if ownID == nil { ownID = try await userID(of: caller) }
            operations[index] = await ofUsers(operation, caller, id: ownID)
        }
        let isWhole = call.body["transaction"] == .boolean(true)
        if isWhole { for operation in operations { _ = try operation.get() } }
        let readable = operations.compactMap { try? $0.get() }
        var done = try await results(of: readable, isWhole: isWhole, for: caller).makeIterator()
        return ParseAnswer(
            .array(
                operations.map { operation in
                    let result: Result<DoneOperation, ParseFailure> = operation.flatMap { _ in
                        done.next() ?? .failure(.objectNotFound)
                    }
                    switch result {
                    case .success(let done):
                        return .object(["success": .object(done.members)])
                    case .failure(let failure): return .object(["error": failure.json])
                    }
                }))
    }

    /// Throws 107 for a path that does not begin with the address of the wire.
    private func operation(
        _ json: JSONValue
    ) throws(ParseFailure) -> Result<ParseOperation, ParseFailure> {
        guard case .object(let members) = json, case .string(let method)? = members["method"],
            case .string(let path)? = members["path"]
        else { throw .badJSON("a request of a batch has a method and a path") }
        let parts: [String]
        do {
            parts = try ParseCall.parts(of: path)
        } catch {
            return .failure(error)
        }
        guard path.hasPrefix("/"), parts.first == String(prefix.dropFirst()) else {
            throw .badJSON("cannot route batch path \(path)")
        }
        var body: [String: JSONValue] = [:]
        if case .object(let members)? = members["body"] { body = members }
        var rest = Array(parts.dropFirst())
        if rest.first == "users" { rest = ["classes", Self.userClass] + rest.dropFirst() }
        guard let verb = ParseVerb(rawValue: method), rest.first == "classes",
            rest.count == (verb == .post ? 2 : 3), verb != .get
        else {
            return .failure(.badJSON("a batch creates, updates and deletes objects of classes"))
        }
        return .success(
            ParseOperation(
                verb: verb, className: rest[1], objectID: rest.count == 3 ? rest[2] : nil,
                body: body))
    }

    /// The operation, which may change the caller's own profile but no account: clients save a
    /// changed user together with an object that names it.
    private func ofUsers(
        _ operation: ParseOperation, _ caller: Caller, id: String?
    ) async -> Result<ParseOperation, ParseFailure> {
        guard operation.verb == .put else {
            return .failure(.forbidden("a batch neither makes nor removes accounts"))
        }
        guard operation.objectID == id else {
            return .failure(ParseFailure(206, "Cannot modify user \(operation.objectID ?? "")."))
        }
        do {
            let body = try await changedMembers(in: operation.body, of: caller)
            if let name = body.keys.filter({ Self.accountKeys.contains($0) && $0 != "ACL" }).min() {
                return .failure(.forbidden("a batch does not change the '\(name)' of an account"))
            }
            return .success(
                ParseOperation(
                    verb: .put, className: operation.className, objectID: operation.objectID,
                    body: body))
        } catch {
            return .failure(ParseFailure(of: error, exchange.request))
        }
    }
}
