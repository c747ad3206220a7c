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
        operations = try await ofUsers(operations, caller)
        let isWhole = call.body["transaction"] == .boolean(true)
        if isWhole { for operation in operations { _ = try operation.get() } }
        let readable = operations.compactMap { try? $0.get() }
        var done = try await results(of: readable, isWhole: isWhole, for: caller).makeIterator()
        return ParseAnswer(
            .array(
                operations.map { operation in
                    let result = operation.flatMap { operation in
                        let result = done.next() ?? .failure(.objectNotFound)
                        return operation.makesMissing ? result.ofUpdate : result
                    }
                    switch result {
                    case .success(let done): return .object(["success": .object(done.members)])
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

    /// The operations, of which the first on the caller's profile makes one that is missing, as
    /// `changeProfile` does. A repeat, which finds the profile, has the id of the same change, and
    /// gets its outcome.
    private func ofUsers(
        _ operations: [Result<ParseOperation, ParseFailure>], _ caller: Caller
    ) async throws -> [Result<ParseOperation, ParseFailure>] {
        func isOfUser(_ operation: Result<ParseOperation, ParseFailure>) -> Bool {
            (try? operation.get())?.className == Self.userClass
        }
        guard operations.contains(where: isOfUser) else { return operations }
        var operations = operations
        let id = try await userID(of: caller)
        var isFirst = true
        for (index, operation) in operations.enumerated() where isOfUser(operation) {
            guard case .success(let operation) = operation else { continue }
            operations[index] = await ofUsers(operation, caller, id: id)
            guard isFirst, case .success(let change) = operations[index] else { continue }
            isFirst = false
            if try await lacksProfile(id, for: caller) {
                var creation = newProfile(id, setting: change.body)
                creation.makesMissing = true
                operations[index] = .success(creation)
            }
        }
        return operations
    }

    /// The operation, which may change the caller's own profile but no account: clients save a
    /// changed user together with an object that names it.
    private func ofUsers(
        _ operation: ParseOperation, _ caller: Caller, id: String
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
