package import ChangeRules
import JSON

/// The parameters of a URL. Each occurs at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// `query` is the part of the URL after the question mark, percent-encoded. A parameter that is
    /// not in `known` is an error: a misspelt parameter would otherwise be ignored.
    package init(_ query: String, known: [String]) throws(QueryFault) {
        for piece in query.split(separator: "&") {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = percentDecoded(parts[0], plusIsSpace: true),
                let value = percentDecoded(parts[1], plusIsSpace: true)
            else { throw .brokenParameter(String(piece)) }
            guard known.contains(name) else { throw .unknownParameter(name, known: known) }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .repeatedParameter(name)
            }
        }
    }

    package subscript(name: String) -> String? { values[name] }
}
