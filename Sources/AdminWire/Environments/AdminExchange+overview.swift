import AccessPolicy
import Administration
import DefinitionModel
import DefinitionReports
import Hummingbird
import JSON
import SyncEngine
import SyncServer
import UserAccounts

/// Numbers of an environment, and rights to stored records.
extension AdminExchange {
    func showCounts() async throws -> Response {
        try await serving { environment in
            let engine = environment.engine
            let counts = try await host.work.search(
                for: actor, on: context, in: environment
            ) { try await engine.recordCounts(upTo: AdministrationLimits.countedRecords) }
            let id = engine.environment
            let (users, conflicts) = try await storing { () async throws(StoreError) in
                (
                    try await desk.store.userCount(in: id),
                    try await desk.store.openConflictCount(in: id)
                )
            }
            return .json(
                .object([
                    "sequence": .integer(counts.sequence), "users": .integer(Int64(users)),
                    "openConflicts": .integer(Int64(conflicts)),
                    "models": .array(counts.models.map(\.json)),
                ]))
        }
    }

    /// Counts open conflicts alone: pages ask after each change.
    func countConflicts() async throws -> Response {
        try await serving { environment in
            let id = environment.engine.environment
            let count = try await storing { () async throws(StoreError) in
                try await desk.store.openConflictCount(in: id)
            }
            return .json(.object(["openConflicts": .integer(Int64(count))]))
        }
    }

    /// Explains a right of a user to a stored record.
    func explainRecord() async throws -> Response {
        let (model, guid) = (try context.pathPart("model"), try context.pathPart("guid"))
        let view = RecordsView(
            login: Login.normalized(body.text("login")) ?? "",
            deviceCategory: body.text("device"))
        return try await serving { environment in
            let engine = environment.engine
            let own = try await operatorCaller(in: environment)
            let asker = try await user(of: view, as: own, in: engine).asker
            let found = try await storing { () async throws(StoreError) in
                try await desk.store.search(in: engine.environment, readingNames: false) {
                    try $0.records([guid]).first ?? nil
                }
            }
            guard let record = found?.record, record.model.hasSameBytes(as: model) else {
                throw SyncError.recordUnknown
            }
            return try explanation(
                ofRole: asker.role.name, model: model,
                owner: RecordOwner(Relationship(of: asker, to: record.ownership)),
                in: environment.definition, file: environment.name)
        }
    }

    /// Explains a right that the body names by field and operation.
    func explanation(
        ofRole role: String, model: String, owner: RecordOwner, in definition: Definition,
        file: String
    ) throws -> Response {
        let operation = Operation(rawValue: body.text("operation")) ?? .read
        let field = body.optionalText("field")
        guard field == nil || Operation.ofFields.contains(operation) else {
            throw HTTPFailure.operationOfRecords(operation.rawValue)
        }
        do {
            let inquiry = try Inquiry(
                role: role, model: model, field: field, operation: operation, owner: owner,
                in: definition)
            return .json(bytes: renderAsJSON(explain(inquiry, in: definition), file: file).utf8)
        } catch {
            throw HTTPFailure.nameUnknown(error.name, known: error.known)
        }
    }
}

extension RecordOwner {
    fileprivate init(_ relationship: Relationship) {
        self =
            switch (relationship.isOwner, relationship.isInGroup) {
            case (true, true): .own
            case (true, false): .moved
            case (false, true): .group
            case (false, false): .other
            }
    }
}

extension ModelCount {
    fileprivate var json: JSONValue {
        .object([
            "model": .string(model), "records": .integer(Int64(records)),
            "isLeast": .boolean(isLeast),
        ])
    }
}
