import Hummingbird
import JSON

extension ConnectionContext {
    /// A part of the path, such as a guid; empty if the route has no such part. Throws
    /// `pathIllegal`.
    package func pathPart(_ name: String) throws(HTTPFailure) -> String {
        guard let text = parameters.get(name) else { return "" }
        guard let decoded = percentDecoded(text) else { throw .pathIllegal(text) }
        return decoded
    }
}
