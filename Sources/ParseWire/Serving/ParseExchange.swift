import ChangeRules
import DefinitionModel
import ForeignValues
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer

/// A request in its environment.
struct ParseExchange: Sendable {
    let exchange: Exchange
    /// In the words of the client.
    let engine: WordedEngine
    let call: ParseCall
    let prefix: String
    let clients: ForeignClients
    let defaultLimit: Int
    let accounts: ParseAccounts
    let master: ParseMaster?
    let allowances: ParseAllowances
    let passwordChanges: PasswordChanges
    /// As it arrived.
    let body: [UInt8]
    /// See `ParseCall.repeatKey`.
    let repeatKey: String?
    let budget = AnswerBudget()
    /// The user of the session; nil until it has been looked up.
    private(set) var identified: Caller?
    /// The token of a session that the request itself has opened; nil if it has opened none.
    private(set) var openedToken: String?
    /// Whether the master key came with the request, and its user is an admin: else it is none.
    private(set) var hasMasterKey = false

    /// Ids of objects that one request may name.
    static let mostPointers = 10_000

    static let userClass = Model.userClass

    /// The definition of the client's version.
    var definition: Definition { engine.definition }

    /// The path, with one name for each of the classes that have paths of their own.
    private var path: [String] {
        guard call.path.count > 1, call.path[0] == "classes" else { return call.path }
        let names = [
            Self.userClass: "users", "_Session": "sessions", "_Role": "roles",
            "_Installation": "installations",
        ]
        return names[call.path[1]].map { [$0] + call.path.dropFirst(2) } ?? call.path
    }

    /// The answer, written on a thread for long work unless it is small.
    func response() async throws -> Response {
        let answer = try await answer()
        return try await exchange.host.work.compute(
            ofBody: answer.json.approximateBytes, on: exchange.context
        ) { answer.response }
    }

    /// A session that has ended is refused at every address, but at that for a new one.
    private func answer() async throws -> ParseAnswer {
        if master?.accepts(call.credentials.masterKey) ?? false {
            var known = self
            known.hasMasterKey = try await masterIsAdmin()
            guard known.hasMasterKey || clients.accepts(anyOf: call.credentials.keys) else {
                throw ParseFailure.unauthorized
            }
            return try await known.answerInSession()
        }
        return try await answerInSession()
    }

    private func answerInSession() async throws -> ParseAnswer {
        let path = path
        guard sessionToken != nil, path.first != "login" else { return try await answer(at: path) }
        var known = self
        do {
            known.identified = try await caller()
        } catch SyncError.signIn(.tokenUnknown) {
            guard let again = try await repeatedPasswordChange(at: path) else {
                throw ParseFailure.deadSession
            }
            return again
        }
        return try await known.answer(at: path)
    }

    private func answer(at path: [String]) async throws -> ParseAnswer {
        let rest = Array(path.dropFirst())
        switch path.first ?? "" {
        case "classes":
            guard let name = rest.first else { throw ParseFailure.unauthorized }
            return try await objects(of: name, Array(rest.dropFirst()))
        case "batch" where call.verb == .post: return try await batch()
        case "users": return try await users(rest)
        case "login": return try await signIn()
        case "verifyPassword": return try await verifyPassword()
        case "logout" where call.verb == .post: return try await signOut()
        case "sessions": return try await sessions(rest)
        case "upgradeToRevocableSession": return ParseAnswer(try await session())
        case "roles": return try await roles(rest)
        case "installations": return try await installations(rest)
        case "schemas": return try await schemas(rest)
        case "files": return try await files(rest)
        case "events" where call.verb == .post: return ParseAnswer([:])
        case "config" where call.verb == .get: return ParseAnswer(["params": .object([:])])
        default: throw refusal(of: path)
        }
    }

    private func refusal(of path: [String]) -> ParseFailure {
        switch path.first ?? "" {
        case "functions":
            ParseFailure(141, "Invalid function: \"\(path.dropFirst().joined(separator: "/"))\"")
        case "requestPasswordReset", "verificationEmailRequest":
            ParseFailure(108, "mails are not sent: ask the operator for a new password")
        case "loginAs": .forbidden("nobody signs in as another user")
        case "purge", "push", "serverInfo", "jobs": .unauthorized
        case "aggregate": .badQuery("'aggregate' is not supported")
        default: ParseFailure(status: 404, code: 101, "there is no such address")
        }
    }

    /// The user who sends the request, or the guest if nobody is signed in. Throws 209 for a
    /// session that has ended, and 101 if there is no guest.
    func caller() async throws -> Caller {
        if let identified { return identified }
        if sessionToken == nil, let master, hasMasterKey {
            return try await exchange.foreignCaller(
                token: nil, key: nil, device: "parse-master",
                of: ForeignClients(guest: master.login, deviceCategory: clients.deviceCategory),
                wire: "parse", speaking: engine)
        }
        guard sessionToken != nil || clients.guest != nil else { throw ParseFailure.notSignedIn }
        return try await exchange.foreignCaller(
            token: sessionToken, key: call.credentials.keys.first(where: clients.accepts),
            device: device, of: clients, wire: "parse", speaking: engine)
    }

    /// The login of the user as whom a client without a session acts; nil if there is none.
    var userWithoutSession: String? { hasMasterKey ? master?.login : clients.guest }

    /// Whether the user of the master key is an admin of the environment.
    func masterIsAdmin() async throws(SyncError) -> Bool {
        guard let login = master.flatMap({ Login.normalized($0.login) }) else { return false }
        let engine = exchange.engine
        let user = try await engine.reading { () async throws(StoreError) in
            try await engine.store.user(login, in: engine.environment)
        }
        return user?.isAdmin ?? false
    }

    /// The device of all clients without an installation id.
    static let commonDevice = "parse"

    var device: String { call.credentials.installationID ?? Self.commonDevice }

    /// The token of the session as the client knows it: that of a session that the request has
    /// opened, or the one that came with it.
    var shownToken: String? { openedToken.map { "r:\($0)" } ?? call.credentials.sessionToken }

    /// Without the prefix of clients.
    private var sessionToken: String? {
        shownToken.map { token in
            token.hasPrefix("r:") ? String(token.dropFirst(2)) : token
        }
    }

    /// The exchange in a session that the request has opened: what it answers from now on, such as
    /// links to files, is for that session.
    func inSession(of caller: Caller, token: String) -> ParseExchange {
        var own = self
        own.identified = caller
        own.openedToken = token
        return own
    }

    var tokenHash: [UInt8]? { sessionToken.map { BearerToken.hash($0) } }

    /// Throws 119 if the definition has no such model.
    func model(_ name: String) throws -> ModelRules {
        guard let model = rules(ofClass: name) else { throw ParseFailure.unknownClass(name) }
        return model
    }

    /// The model that clients know by a name; nil if there is none.
    func rules(ofClass name: String) -> ModelRules? {
        definition.models.first { $0.foreignName.hasSameBytes(as: name) }
            .flatMap { engine.rules.model(named: $0.name) }
    }

    /// The id that a name has for good: of a user, a role or an installation.
    func id(of name: String, in kind: String) -> String {
        exchange.engine.naming?.parseID(of: name, in: kind) ?? name
    }

    /// Looks up the records that pointers name. Ids that no record can have are left out.
    func records(of pointers: Set<ParsePointer>) async throws -> RecordTable {
        guard pointers.count <= Self.mostPointers else {
            throw ParseFailure(
                154, "a request names at most \(Self.mostPointers) objects: send several")
        }
        var table = RecordTable(ClassNames(definition))
        for (className, pointers) in Dictionary(grouping: pointers, by: \.className) {
            guard let model = rules(ofClass: className)?.model.name else { continue }
            let records = try await engine.recordIDs(of: pointers.map(\.objectID), in: model)
            for (pointer, record) in zip(pointers, records) {
                guard let record else { continue }
                table.add(NamedRecord(guid: record.guid, name: record.name), of: pointer)
            }
        }
        return table
    }
}

extension ParseExchange {
    /// The members with the times of what is no record. Without a change, that of its making is the
    /// time of the last change.
    func times(madeAt: Instant?, changedAt: Instant? = nil) -> [String: JSONValue] {
        func text(_ moment: Instant?) -> JSONValue {
            .string(moment.map { preciseInstant(milliseconds: $0.milliseconds) } ?? parseEpoch)
        }
        return ["createdAt": text(madeAt), "updatedAt": text(changedAt ?? madeAt)]
    }
}

/// The time of what has no time of its own, or whose time was not recorded.
let parseEpoch = preciseInstant(milliseconds: 0)
