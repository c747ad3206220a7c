import DefinitionReports

/// Each kind of difference, by an edit of `parcels.xml`.
struct DifferenceCase: Sendable {
    let edits: [(from: String, to: String)]
    /// From the edited document to the original one.
    let isBackwards: Bool
    let expected: [Line]

    struct Line: Hashable, Sendable {
        let kind: Difference.Kind
        let message: String
        let data: Weight
        let clients: Weight
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
        _ kind: Difference.Kind, _ message: String, data: Weight = .safe, clients: Weight = .safe
    ) -> Self {
        Self(kind: kind, message: message, data: data, clients: clients)
    }
}
