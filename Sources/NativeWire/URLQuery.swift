import Hummingbird
import SyncEngine
import SyncProtocol
import SyncServer

/// The query of a URL. An unexpected name is an error: a misspelt parameter would otherwise go
/// unnoticed.
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
            throw HTTPFailure.parameterIllegal(name, "is not an integer")
        }
        return number
    }
}
