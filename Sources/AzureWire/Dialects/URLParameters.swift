import JSON

/// The parameters of a URL, decoded, in their order. `+` is a blank, as in forms.
struct URLParameters: Hashable, Sendable {
    let pairs: [Pair]

    static let none = URLParameters(pairs: [])

    private init(pairs: [Pair]) { self.pairs = pairs }

    struct Pair: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// - Parameter query: The part of the URL after `?`, as it was sent.
    init(query: String) throws(QuestionFault) {
        pairs = try queryPairs(of: query).map { pair throws(QuestionFault) in
            Pair(name: try decoded(pair.name), value: try decoded(pair.value))
        }
    }

    /// The first value of a name, which is in lower case here and in any case in the URL.
    subscript(name: String) -> String? {
        pairs.first { $0.name.lowercased() == name }?.value
    }
}

private func decoded(_ text: Substring) throws(QuestionFault) -> String {
    guard let decoded = percentDecoded(text, plusIsSpace: true) else {
        throw QuestionFault("a part of the query is not percent-encoded UTF-8")
    }
    return decoded
}
