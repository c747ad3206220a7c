import Administration
import DefinitionModel
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

    /// The number of the last entry of the page before, for lists in the order of numbers. Throws
    /// `parameterIllegal`: a place that is none would look like the end of the list.
    func number() throws -> Int64? {
        guard let next else { return nil }
        guard let number = Int64(next), number > 0 else { throw Self.noPlace() }
        return number
    }

    /// The same for lists in the order of guids.
    func guid() throws -> String? {
        guard next.map(isGuid) ?? true else { throw Self.noPlace() }
        return next
    }

    static func noPlace() -> HTTPFailure {
        HTTPFailure.parameterIllegal("next", "is not that of an earlier page")
    }

    /// Answers with entries and their places. A full page may have a successor.
    func answer(_ entries: [(json: JSONValue, place: String)]) -> Response {
        let next = entries.count == limit ? entries.last?.place : nil
        return .json(
            .object([
                "entries": .array(entries.map(\.json)), "next": JSONValue(text: next),
            ]))
    }
}
