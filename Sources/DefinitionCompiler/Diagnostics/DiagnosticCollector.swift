/// A diagnostic whose places are byte ranges, as the stages report it. The messages are in
/// `Problem+….swift`.
struct Problem {
    let severity: Severity
    let id: String
    let range: Range<Int>
    let message: String
    let help: String?
    let related: [RelatedRange]
}

struct RelatedRange {
    let range: Range<Int>
    let message: String
}

/// Collects the problems that the stages report, in the order of the reports.
struct DiagnosticCollector {
    private let limit: Int
    /// The ids of warnings and notes to suppress. Errors are always reported.
    private let allowed: Set<String>
    private var problems: [Problem] = []
    private var dropped = 0
    private(set) var hasErrors = false

    init(limit: Int, allowed: Set<String> = []) {
        self.limit = limit
        self.allowed = allowed
    }

    /// Beyond the limit a problem is only counted. This skips the search for suggestions, the most
    /// expensive step.
    mutating func report(_ problem: @autoclosure () -> Problem) {
        guard problems.count < limit || !hasErrors else {
            dropped += 1
            return
        }
        let problem = problem()
        guard !isAllowed(problem) else { return }
        hasErrors = hasErrors || problem.severity == .error
        guard problems.count < limit || problem.severity == .error else {
            dropped += 1
            return
        }
        problems.append(problem)
    }

    /// Like `report`, for warnings. Beyond the limit the message is not built at all, unless some
    /// ids are allowed.
    mutating func warn(_ problem: @autoclosure () -> Problem) {
        guard problems.count < limit else {
            dropped += allowed.isEmpty || !isAllowed(problem()) ? 1 : 0
            return
        }
        let problem = problem()
        if !isAllowed(problem) { problems.append(problem) }
    }

    /// All diagnostics in document order.
    func diagnostics(in text: SourceText) -> [Diagnostic] {
        let inOrder = problems.enumerated().sorted { left, right in
            (left.element.range.lowerBound, left.offset)
                < (right.element.range.lowerBound, right.offset)
        }
        let shown = inOrder.map { Diagnostic($0.element, in: text) }
        guard dropped > 0 else { return shown }
        let end = text.bytes.count
        let rest = Problem.tooManyProblems(more: dropped, limit: limit, at: end..<end)
        return isAllowed(rest) ? shown : shown + [Diagnostic(rest, in: text)]
    }

    private func isAllowed(_ problem: Problem) -> Bool {
        problem.severity != .error && allowed.contains(problem.id)
    }
}

extension Diagnostic {
    fileprivate init(_ problem: Problem, in text: SourceText) {
        self.init(
            severity: problem.severity, id: problem.id,
            place: text.place(at: problem.range.lowerBound),
            length: text.length(of: problem.range), message: problem.message, help: problem.help,
            related: problem.related.map {
                RelatedPlace(
                    place: text.place(at: $0.range.lowerBound), length: text.length(of: $0.range),
                    message: $0.message)
            })
    }
}
