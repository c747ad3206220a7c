import DefinitionReports

/// A difference, produced by an edit of `parcels.xml`.
struct DifferenceCase: Sendable {
    let edits: [(from: String, to: String)]
    /// Whether the comparison is from the edited document to the original one.
    let isBackwards: Bool
    let expected: [Line]

    struct Line: Hashable, Sendable {
        let kind: Difference.Kind
        let message: String
        let data: Impact
        let clients: Impact
    }

    init(
        _ edits: (String, String)..., isBackwards: Bool = false, expecting expected: Line...
    ) {
        self.edits = edits.map { (from: $0.0, to: $0.1) }
        self.isBackwards = isBackwards
        self.expected = expected
    }
}

extension DifferenceCase.Line {
    static func line(
        _ kind: Difference.Kind, _ message: String, data: Impact = .safe, clients: Impact = .safe
    ) -> Self {
        Self(kind: kind, message: message, data: data, clients: clients)
    }
}
