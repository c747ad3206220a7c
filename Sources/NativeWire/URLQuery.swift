import Hummingbird
import SyncEngine
import SyncProtocol
import SyncServer

/// The part of an address after the question mark. A name that is not asked for is refused, since a
/// misspelt one would pass for a success.
struct URLQuery {
    private let parameters: QueryParameters

    init(_ request: Request, names: Set<String>) throws {
        do {
            parameters = try QueryParameters(request.uri.query ?? "", known: names.sorted())
        } catch {
            throw SyncError.find(.query(error))
        }
    }

    subscript(name: String) -> String? { parameters[name] }

    func number(_ name: String) throws -> Int? {
        guard let text = parameters[name] else { return nil }
        guard let number = Int(text) else {
            throw HTTPFailure.parameterIllegal(name, "is no whole number")
        }
        return number
    }
}
