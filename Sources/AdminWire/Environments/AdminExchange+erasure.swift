import Administration
import EnvironmentCopy
import Hummingbird
import JSON
import SyncEngine
import SyncServer

/// The erasure of persons.
extension AdminExchange {
    func eraseUser() async throws -> Response {
        let text = try context.pathPart("login")
        guard let login = Login.normalized(text) else {
            throw SyncError.account(.loginIllegal(text))
        }
        try await log(target: login)
        let count = try await serving { environment in
            _ = try await operatorCaller(in: environment)
            let erasure = PersonalErasure(engine: environment.engine, store: desk.store)
            return try await erasure.run(
                Erasure(login: login, at: now, author: "operator \(actor)"), at: now)
        }
        return .json(.object(["records": .integer(Int64(count))]))
    }

    func listErasures() async throws -> Response {
        let state = try await environment().state
        let erasures = try await storing { () async throws(StoreError) in
            try await desk.store.erasures(in: state.id)
        }
        return .json(
            .array(
                erasures.map { erasure in
                    .object([
                        "login": .string(erasure.login),
                        "at": .integer(erasure.at.milliseconds),
                        "author": .string(erasure.author),
                    ])
                }))
    }
}
