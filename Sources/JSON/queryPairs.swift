/// The parameters of a URL's query, in their order: `a=1&b` has `a` with `1` and `b` without a
/// value. Names and values are as they were sent; see `percentDecoded`.
///
/// - Parameter query: The part of the URL after `?`.
package func queryPairs(of query: String) -> [(name: Substring, value: Substring)] {
    query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
        let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return (Substring(pair[..<end]), Substring(pair[end...].dropFirst()))
    }
}
