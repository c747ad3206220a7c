import ChangeRules

/// The Unicode scalars of a text, by position.
struct TextScalars {
    private let all: [Unicode.Scalar]

    init(_ text: String) { all = Array(text.unicodeScalars) }

    /// The position of the first occurrence of a part; nil if there is none.
    func firstIndex(of part: TextScalars) -> Int? { TextSearch(for: part.all).firstIndex(in: all) }

    /// - Parameter range: The position where the part begins, and optionally its length.
    func part(_ range: [Int64?]) -> String? {
        guard let first = range.first, let start = first, start >= 0 else { return nil }
        let rest = all.dropFirst(Int(clamping: start))
        guard range.count == 2 else { return text(rest) }
        guard let length = range[1], length >= 0 else { return nil }
        return text(rest.prefix(Int(clamping: length)))
    }

    /// Nil if the result would have more than `maxBytes`.
    func replacing(_ old: TextScalars, with new: String, maxBytes: Int) -> String? {
        guard !old.all.isEmpty else { return text(all[...]) }
        let search = TextSearch(for: old.all)
        var (result, start) = ("", 0)
        while let place = search.firstIndex(in: all, from: start) {
            result += text(all[start..<place]) + new
            start = place + old.all.count
            if result.utf8.count > maxBytes { return nil }
        }
        return result + text(all[start...])
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
