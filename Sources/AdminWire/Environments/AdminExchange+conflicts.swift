import ChangeRules
import DefinitionModel
import Hummingbird
import JSON
import NativeCalls
import RecordSearch
import SyncEngine
import SyncProtocol
import SyncServer

/// Conflicts, owners and relations of records.
extension AdminExchange {
    /// Resolves open conflicts by a rule, as `POST /v1/ENVIRONMENT/conflicts` does for a user.
    func resolveConflicts() async throws -> Response {
        let message: ResolutionRequest
        do {
            message = try decode(ResolutionRequest.self, from: body.json)
        } catch {
            throw HTTPFailure.changesIllegible()
        }
        try await log(target: message.model ?? "", after: body.json)
        return try .json(
            try await asOperator { engine, caller in
                try await engine.resolve(message, from: caller, at: now)
            })
    }

    func changeOwnership() async throws -> Response {
        let (model, guid) = (try context.pathPart("model"), try context.pathPart("guid"))
        let ownership = NewOwnership(
            owner: body.optionalText("owner"), group: body.optionalText("group"))
        let former = try await asOperator { engine, caller in
            try? await engine.record(guid, of: model, fields: [], for: caller)
        }
        try await log(
            target: "\(model) \(guid)",
            before: former.map {
                .object(["owner": .string($0.owner), "group": .string($0.group)])
            }, after: body.json)
        let record = try await asOperator { engine, caller in
            try await engine.reassign(guid, of: model, to: ownership, by: caller, at: now)
        }
        return try .json(
            OwnershipResponse(
                model: model, guid: guid, revision: record.revision, owner: record.owner,
                group: record.group))
    }

    func listRelations() async throws -> Response {
        let (view, rest) = try RecordsView.split(request.uri.query ?? "")
        guard rest.isEmpty else { throw HTTPFailure.parameterIllegal(rest, "is unknown") }
        let (model, guid) = (try context.pathPart("model"), try context.pathPart("guid"))
        return try .json(
            try await reading(view) { engine, caller in
                try await engine.relations(of: guid, model: model, for: caller)
            })
    }
}

extension Engine {
    /// The most records that name a record by one field, in one answer.
    private static var relatedRecords: Int { 50 }

    /// Returns the records that a record names, and those that name it, as far as the caller may
    /// see them.
    fileprivate func relations(
        of guid: String, model: String, for caller: Caller
    ) async throws(SyncError) -> RelationsAnswer {
        let record = try await record(guid, of: model, for: caller)
        var answer = RelationsAnswer()
        for other in rules.definition.models {
            for field in other.fields {
                guard case .belongsTo(let relation) = field.type else { continue }
                let target = relation.model
                if other.name == model, case .string(let named)? = record.fields?[field.name] {
                    answer.outgoing.append(
                        RelationsAnswer.Outgoing(field: field.name, model: target, guid: named))
                }
                guard target == model else { continue }
                let query = FindQuery(
                    filter: .compare(.eq, operand: field.name, with: .value(.string(guid))),
                    limit: min(Self.relatedRecords, limits.pageRecords))
                guard let page = try await found(query, of: other.name, for: caller) else {
                    continue
                }
                answer.incoming.append(
                    RelationsAnswer.Incoming(
                        model: other.name, field: field.name,
                        records: page.records.map(RecordMessage.init), more: page.hasMore))
            }
        }
        return answer
    }

    /// Nil if the caller's role does not have the field.
    private func found(
        _ query: FindQuery, of model: String, for caller: Caller
    ) async throws(SyncError) -> FindPage? {
        do {
            return try await find(query, of: model, for: caller)
        } catch .find(.query) {
            return nil
        } catch {
            throw error
        }
    }
}

/// The records that a record names, and those that name it.
private struct RelationsAnswer: Encodable, Sendable {
    struct Outgoing: Encodable, Sendable {
        let field: String
        let model: String
        let guid: String
    }

    struct Incoming: Encodable, Sendable {
        let model: String
        let field: String
        let records: [RecordMessage]
        let more: Bool
    }

    var outgoing: [Outgoing] = []
    var incoming: [Incoming] = []
}
