import Administration
import Hummingbird
import JSON
import SyncServer

/// The part of a list that a request asks for.
struct AdminPage: Sendable {
    /// The place after which the page begins; nil for the first page.
    let next: String?
    let limit: Int

    /// Throws `parameterIllegal`, also for a limit above `most`.
    init(_ request: Request, most: Int = AdministrationLimits.page) throws {
        do {
            next = try request.queryValue("next")
            let text = try request.queryValue("limit")
            let limit = text.map { Int($0) ?? 0 } ?? 100
            guard (1...most).contains(limit) else {
                throw HTTPFailure.parameterIllegal("limit", "is not 1 to \(most)")
            }
            self.limit = limit
        } catch is IllegibleParameter {
            throw HTTPFailure.parameterIllegal("next", "is not percent-encoded UTF-8")
        }
    }

    /// The number below which the entries are, for lists with the newest entry first.
    var before: Int64? { next.map { Int64($0) ?? 0 } }

    /// Answers with entries and their places. A full page may have a successor.
    func answer(_ entries: [(json: JSONValue, place: String)]) -> Response {
        let next = entries.count == limit ? entries.last?.place : nil
        return .json(
            .object([
                "entries": .array(entries.map(\.json)), "next": JSONValue(text: next),
            ]))
    }
}
