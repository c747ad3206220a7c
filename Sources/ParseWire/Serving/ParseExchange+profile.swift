import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import Logging
import Secrets
import SyncEngine
import SyncServer

/// Profiles of users, which are records of the model `_User`.
extension ParseExchange {
    /// Makes the profile of a user who signs in and has none, if the definition lets the user make
    /// one without columns.
    func makeProfile(for caller: Caller) async throws {
        guard let model = rules(ofClass: Self.userClass)?.model.name else { return }
        let id = try await userID(of: caller)
        let pointer = ParsePointer(className: Self.userClass, objectID: id)
        guard let record = try await records(of: [pointer])[pointer] else { return }
        let change = Change(
            id: "parse-\(freshGuid())", action: .create, model: model, guid: record.guid,
            baseRevision: nil, fields: [:], name: record.name)
        let pushed = try await engine.push(
            try await exchange.prepared([change], ofBody: 0, in: engine, by: caller),
            keepingOutcomesFor: nil, by: caller, at: exchange.now)
        guard pushed.outcomes.first?.causes.contains(.idTaken) ?? false else { return }
        let own = try await records(
            withGuids: [record.guid], of: model, fields: [], for: caller)
        if own.isEmpty {
            exchange.logger.notice(
                "a user has no profile: it was deleted, or is hidden", metadata: ["user": "\(id)"])
        }
    }

    /// Makes the profile of a user who signs up. Throws if it cannot be made with these columns,
    /// and 202 if a record has had the id: that of a former user of the login, unless their profile
    /// was imported. A user whose role makes no profiles has none, and needs none to sign up
    /// without columns.
    func makeProfile(of caller: Caller, setting members: [String: JSONValue]) async throws {
        guard rules(ofClass: Self.userClass) != nil else { return }
        let made = try await newProfile(
            try await userID(of: caller), setting: members, number: 0, for: caller)
        guard case .failure(let failure) = made else { return }
        if failure.isOfTakenID { throw ParseFailure.usernameTaken }
        guard members.isEmpty, failure.isOfMissingRight else { throw failure }
    }

    /// - Parameter number: That of the operation in its request.
    private func newProfile(
        _ id: String, setting members: [String: JSONValue], number: Int, for caller: Caller
    ) async throws -> Result<DoneOperation, ParseFailure> {
        let creation = newProfile(id, setting: members)
        return try await results(of: [creation], isWhole: false, from: number, for: caller).first
            ?? .failure(.objectNotFound)
    }

    func newProfile(_ id: String, setting members: [String: JSONValue]) -> ParseOperation {
        ParseOperation(
            verb: .post, className: Self.userClass, objectID: nil,
            body: members.merging(["objectId": .string(id)]) { $1 })
    }

    /// Whether the caller sees no profile of their own. There may be one all the same.
    func lacksProfile(_ id: String, for caller: Caller) async throws -> Bool {
        let pointer = ParsePointer(className: Self.userClass, objectID: id)
        guard let model = rules(ofClass: Self.userClass)?.model.name,
            engine.servedModel(model) != nil,
            let record = try await records(of: [pointer])[pointer]
        else { return false }
        return try await records(withGuids: [record.guid], of: model, fields: [], for: caller)
            .isEmpty
    }

    /// Changes the caller's profile. One that is missing is made, with the values: an operator has
    /// added the user, or a profile needs a column, which no sign-in sets.
    func changeProfile(
        _ id: String, setting members: [String: JSONValue], of caller: Caller
    ) async throws -> DoneOperation {
        let change = ParseOperation(
            verb: .put, className: Self.userClass, objectID: id, body: members,
            ifRevision: try ifRevision())
        do {
            return try await done(change, for: caller)
        } catch let refusal as ParseFailure where refusal.code == 101 && change.ifRevision == nil {
            return try await newProfile(id, setting: members, number: 1, for: caller).ofUpdate.get()
        }
    }
}

extension Result<DoneOperation, ParseFailure> {
    /// The result of an update that was to make its object. The id of a missing object is free: a
    /// taken one is that of an object which the caller does not see.
    var ofUpdate: Self {
        map(\.ofUpdate).mapError { $0.isOfTakenID ? .objectNotFound : $0 }
    }
}

extension ParseFailure {
    fileprivate var isOfTakenID: Bool { causes.contains { $0.cause == .idTaken } }

    /// Whether only the right to create objects of the class is missing, or the served definition
    /// has no such class any more.
    fileprivate var isOfMissingRight: Bool {
        !causes.isEmpty
            && causes.allSatisfy { refused in
                switch refused.cause.reason {
                case .notGranted, .unknownModel: true
                case .empty, .limit, .wrongType, .notFound, .notUnique, .fileNotYours,
                    .unknownField, .change, .recorded:
                    false
                }
            }
    }
}

extension Cause {
    fileprivate static let idTaken = Cause(.change(.guidTaken))
}
