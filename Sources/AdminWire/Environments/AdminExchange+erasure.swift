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
        let (state, page) = (try await environment().state, try AdminPage(request))
        let erasures = try await storing { () async throws(StoreError) in
            try await desk.store.erasures(
                in: state.id, after: page.next ?? "", limit: page.limit)
        }
        return page.answer(erasures.map { ($0.json, $0.login) })
    }
}

extension Erasure {
    fileprivate var json: JSONValue {
        .object([
            "login": .string(login), "at": .integer(at.milliseconds), "author": .string(author),
        ])
    }
}
