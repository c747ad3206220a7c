package import Hummingbird
import JSON

extension Request {
    /// The value of the first parameter of the URL with this name; nil if there is none. For wires
    /// that ignore what they do not know.
    package func queryValue(_ name: String) throws(IllegibleParameter) -> String? {
        for pair in queryPairs(of: uri.query ?? "") where percentDecoded(pair.name) == name {
            guard let value = percentDecoded(pair.value) else { throw IllegibleParameter() }
            return value
        }
        return nil
    }
}

/// The value of a parameter is not percent-encoded UTF-8.
package struct IllegibleParameter: Error, Hashable {}
