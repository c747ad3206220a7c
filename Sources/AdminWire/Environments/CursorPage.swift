import Hummingbird
import SyncServer

/// The part of a list of the engine that a request asks for.
struct CursorPage: Sendable {
    /// The cursor that the page before ended with; nil for the first page.
    let cursor: String?
    let limit: Int?

    /// Throws `parameterIllegal`.
    init(_ request: Request) throws {
        do {
            cursor = try request.queryValue("cursor")
            let text = try request.queryValue("limit")
            limit = text.flatMap { Int($0) }
            guard text == nil || limit != nil else {
                throw HTTPFailure.parameterIllegal("limit", "is not an integer")
            }
        } catch is IllegibleParameter {
            throw HTTPFailure.parameterIllegal("cursor", "is not percent-encoded UTF-8")
        }
    }
}
