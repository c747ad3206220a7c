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
        let creation = ParseOperation(
            verb: .post, className: Self.userClass, objectID: nil,
            body: members.merging(["objectId": .string(id)]) { $1 })
        return try await results(of: [creation], isWhole: false, from: number, for: caller).first
            ?? .failure(.objectNotFound)
    }

    /// Changes the caller's profile. One that is missing is made, with the values: an operator has
    /// added the user, or a profile needs a column, which no sign-in sets.
    func changeProfile(
        _ id: String, setting members: [String: JSONValue], of caller: Caller
    ) async throws -> DoneOperation {
        let change = ParseOperation(
            verb: .put, className: Self.userClass, objectID: id, body: members,
            ifRevision: try ifRevision())
        let failure: ParseFailure
        do {
            return try await done(change, for: caller)
        } catch let refusal as ParseFailure where refusal.code == 101 && change.ifRevision == nil {
            failure = refusal
        }
        let made = try await newProfile(id, setting: members, number: 1, for: caller)
        // There is one, which the caller does not see.
        if case .failure(let other) = made, other.isOfTakenID { throw failure }
        let done = try made.get()
        var told = done.members
        told["updatedAt"] = told.removeValue(forKey: "createdAt")
        told["objectId"] = nil
        return DoneOperation(members: told, revision: done.revision)
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
