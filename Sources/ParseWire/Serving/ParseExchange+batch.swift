import JSON
import SyncEngine

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
        let parts = path.split(separator: "/").map(String.init)
        guard path.hasPrefix("/"), parts.first == String(prefix.dropFirst()) else {
            throw .badJSON("cannot route batch path \(path)")
        }
        var body: [String: JSONValue] = [:]
        if case .object(let members)? = members["body"] { body = members }
        let rest = parts.dropFirst()
        guard let verb = ParseVerb(rawValue: method), rest.first == "classes",
            rest.count == (verb == .post ? 2 : 3), verb != .get, rest.dropFirst().first != "_User"
        else {
            return .failure(.badJSON("a batch creates, updates and deletes objects of classes"))
        }
        return .success(
            ParseOperation(
                verb: verb, className: parts[2], objectID: parts.count == 4 ? parts[3] : nil,
                body: body))
    }
}
