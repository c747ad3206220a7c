package import Hummingbird
import JSON

extension Request {
    /// The value of the first parameter of the URL with this name; nil if there is none. For wires
    /// that ignore what they do not know.
    package func queryValue(_ name: String) throws(IllegibleParameter) -> String? {
        for pair in (uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, percentDecoded(first) == name else { continue }
            guard let value = percentDecoded(parts.dropFirst().first ?? "") else {
                throw IllegibleParameter()
            }
            return value
        }
        return nil
    }
}

/// The value of a parameter is not percent-encoded UTF-8.
package struct IllegibleParameter: Error, Hashable {}
