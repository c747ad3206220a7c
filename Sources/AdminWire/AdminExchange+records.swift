import AccessPolicy
import Administration
import ChangeRules
import Hummingbird
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import SyncServer

/// Records, as an operator or as a user sees them, in the messages of the native wire.
extension AdminExchange {
    func listRecords() async throws -> Response {
        let (view, query) = try RecordsView.split(request.uri.query ?? "")
        let message = try parsed { () throws(QueryFault) in try FindRequest(query: query) }
        let model = try context.pathPart("model")
        let found = try await reading(view) { engine, caller in
            try await engine.find(message, of: model, for: caller)
        }
        return try .json(found)
    }

    func showRecord() async throws -> Response {
        let (view, query) = try RecordsView.split(request.uri.query ?? "")
        let message = try parsed { () throws(QueryFault) in try RecordRequest(query: query) }
        let (model, guid) = (try context.pathPart("model"), try context.pathPart("guid"))
        let found = try await reading(view) { engine, caller in
            try await engine.record(guid, of: model, message, for: caller)
        }
        return try .json(found)
    }

    func showHistory() async throws -> Response {
        let (view, query) = try RecordsView.split(request.uri.query ?? "")
        let page = try parsed { () throws(QueryFault) in
            try QueryParameters(query, known: ["cursor", "limit"])
        }
        let (model, guid) = (try context.pathPart("model"), try context.pathPart("guid"))
        let limit = try pageLimit(page["limit"])
        let found = try await reading(view) { engine, caller in
            try await engine.historyMessages(
                of: guid, model: model, cursor: page["cursor"], limit: limit, for: caller)
        }
        return try .json(found)
    }

    func listConflicts() async throws -> Response {
        let (view, query) = try RecordsView.split(request.uri.query ?? "")
        let page = try parsed { () throws(QueryFault) in
            try QueryParameters(query, known: ["cursor", "limit", "model"])
        }
        let limit = try pageLimit(page["limit"])
        let found = try await reading(view) { engine, caller in
            try await engine.conflictMessages(
                ofModel: page["model"], cursor: page["cursor"], limit: limit, for: caller)
        }
        return try .json(found)
    }

    /// Changes records as an operator, with every right but within the limits of the definition.
    func changeRecords() async throws -> Response {
        let messages: [ChangeMessage]
        do {
            messages = try decode([ChangeMessage].self, from: body.value("changes"))
        } catch {
            throw HTTPFailure.changesIllegible()
        }
        let owner = body.optionalText("owner")
        try await log(
            target: messages.map(\.guid).joined(separator: " "),
            after: .array(messages.map(\.logged)))
        let answer = try await serving { environment in
            let engine = environment.engine
            let caller = try await operatorCaller(in: environment, creatingFor: owner)
            let (context, now) = (context, now)
            let request = try await host.work.compute(
                for: actor, on: context, in: environment
            ) {
                let book = engine.rules.book
                return try engine.prepared(
                    PushPull(
                        changes: messages.map { Change($0, by: book) }, limit: 1,
                        outcomeSeconds: 24 * 3600),
                    from: caller, at: now, whileWanted: { context.isOpen })
            }
            let outcomes = try await engine.sync(
                request, encoder: NativeRecordEncoder(), from: caller, at: now
            ).outcomes.map(OutcomeMessage.init)
            let moment = try await operatorCaller(in: environment).moment
            return ChangesAnswer(outcomes: outcomes, sequence: moment.sequence)
        }
        return try .json(answer)
    }

    private func parsed<Message>(_ read: () throws(QueryFault) -> Message) throws -> Message {
        do {
            return try read()
        } catch {
            throw SyncError.find(.query(error))
        }
    }

    private func pageLimit(_ text: String?) throws -> Int? {
        guard let text else { return nil }
        guard let limit = Int(text) else {
            throw HTTPFailure.parameterIllegal("limit", "is not an integer")
        }
        return limit
    }
}

// MARK: - Callers

extension AdminExchange {
    /// Runs `body` in the environment of the path, and again if another definition is deployed
    /// meanwhile.
    func serving<Value: Sendable>(
        _ body: (ServedEnvironment) async throws -> Value
    ) async throws -> Value {
        let present = try await host.environment(named: try context.pathPart("environment"))
        return try await host.environments.serving(present, body)
    }

    func reading<Value: Sendable>(
        _ view: RecordsView?, _ body: (Engine, Caller) async throws -> Value
    ) async throws -> Value {
        if let view {
            try await log(
                target: "\(view.login) \(view.deviceCategory)", after: try lookedAt())
        }
        return try await serving { environment in
            let engine = environment.engine
            let own = try await operatorCaller(in: environment)
            let caller =
                if let view { try await user(of: view, as: own, in: engine) } else { own }
            return try await host.work.search(for: actor, on: context, in: environment) {
                try await body(engine, caller)
            }
        }
    }

    /// An operator looks as a user at the model and the record of the path. The names of the
    /// parameters are kept too, but not their values, which may be those of a person.
    private func lookedAt() throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        for name in ["model", "guid"] where route.parameters.contains(name) {
            members[name] = .string(try context.pathPart(name))
        }
        let pieces = (request.uri.query ?? "").split(separator: "&")
        let names = Set(pieces.map { String($0.prefix { $0 != "=" }) })
        members["parameters"] = .array(
            names.subtracting(["as", "device"]).sorted().map { .string($0) })
        return .object(members)
    }

    /// Runs `body` as an operator with every right.
    func asOperator<Value: Sendable>(
        _ body: (Engine, Caller) async throws -> Value
    ) async throws -> Value {
        try await serving { environment in
            try await body(environment.engine, try await operatorCaller(in: environment))
        }
    }

    /// The caller for the engine. Throws `definitionChanged` if another definition was deployed.
    func operatorCaller(
        in environment: ServedEnvironment, creatingFor owner: String? = nil
    ) async throws(SyncError) -> Caller {
        let caller = try await environment.engine.operatorCaller(
            named: actor, device: "admin", creatingFor: owner)
        guard caller.moment.deployment == environment.deployment else { throw .definitionChanged }
        return caller
    }

    /// The user of a view, without a session.
    func user(
        of view: RecordsView, as own: Caller, in engine: Engine
    ) async throws -> Caller {
        let user = try await storing { () async throws(StoreError) in
            try await desk.store.user(view.login, in: engine.environment)
        }
        guard let user else { throw SyncError.account(.unknown(view.login)) }
        let role = try engine.role(group: user.group, deviceCategory: view.deviceCategory)
        return Caller(
            asker: Asker(login: user.login, group: user.group, role: role),
            deviceIdentifier: "admin", isAdmin: user.isAdmin, moment: own.moment)
    }
}

/// The user as whom an operator looks at records.
struct RecordsView: Hashable, Sendable {
    let login: String
    let deviceCategory: String

    /// Takes the parameters `as` and `device` out of a query. Nil without them; throws
    /// `parameterIllegal` if one is missing.
    static func split(_ query: String) throws -> (view: RecordsView?, query: String) {
        let own = ["as", "device"]
        let pieces = query.split(separator: "&")
        func isOwn(_ piece: Substring) -> Bool {
            own.contains(String(piece.prefix { $0 != "=" }))
        }
        let rest = pieces.filter { !isOwn($0) }.joined(separator: "&")
        let given: QueryParameters
        do {
            given = try QueryParameters(
                pieces.filter(isOwn).joined(separator: "&"), known: own)
        } catch {
            throw SyncError.find(.query(error))
        }
        switch (given["as"].flatMap(Login.normalized), given["device"]) {
        case (nil, nil): return (nil, rest)
        case (let login?, let device?):
            return (RecordsView(login: login, deviceCategory: device), rest)
        case (nil, .some): throw HTTPFailure.parameterIllegal("as", "is missing or no login")
        case (.some, nil): throw HTTPFailure.parameterIllegal("device", "is missing")
        }
    }
}

extension ChangeMessage {
    /// As in the activity log: no values, which an erasure would leave there.
    fileprivate var logged: JSONValue {
        .object([
            "action": .string(action.rawValue), "model": .string(model), "guid": .string(guid),
            "fields": .array(fields.keys.sorted().map { .string($0) }),
        ])
    }
}

/// The outcomes of changes.
private struct ChangesAnswer: Encodable {
    let outcomes: [OutcomeMessage]
    /// The last change of the environment after these. Events up to it tell nothing newer.
    let sequence: Int64
}
