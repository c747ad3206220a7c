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
            try await checkIsKnown(login, in: environment.engine.environment)
            let erasure = PersonalErasure(engine: environment.engine, store: desk.store)
            return try await erasure.run(
                Erasure(login: login, at: now, author: "operator \(actor)"), at: now)
        }
        return .json(.object(["records": .integer(Int64(count))]))
    }

    /// Throws `userUnknown` if nothing is held of a person: a mistyped login must not look like an
    /// answer. It would be in the list of erasures for ever.
    func checkIsKnown(_ login: String, in environment: EnvironmentID) async throws {
        let isKnown = try await PersonalExport.holdsAnything(
            of: login, in: environment, of: desk.store)
        guard isKnown else { throw SyncError.account(.unknown(login)) }
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
