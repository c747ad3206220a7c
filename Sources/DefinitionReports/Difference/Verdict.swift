/// The impact of a difference, in ascending order.
package enum Impact: Int, Hashable, Sendable, CaseIterable, Comparable {
    case safe, needsDefault, breaking

    package static func < (left: Impact, right: Impact) -> Bool { left.rawValue < right.rawValue }

    /// In JSON and on the command line.
    package var name: String {
        switch self {
        case .safe: "safe"
        case .needsDefault: "needs-default"
        case .breaking: "breaking"
        }
    }

    /// In messages.
    var words: String {
        switch self {
        case .safe: "safe"
        case .needsDefault: "needs a default"
        case .breaking: "breaking"
        }
    }
}

/// The impact of a difference on stored data, or on clients that were built for the old definition,
/// with the reason.
package struct Verdict: Hashable, Sendable {
    package let impact: Impact
    /// A clause without capital letter and full stop.
    package let reason: String

    static func safe(_ reason: String) -> Verdict { Verdict(impact: .safe, reason: reason) }

    static func needsDefault(_ reason: String) -> Verdict {
        Verdict(impact: .needsDefault, reason: reason)
    }

    static func breaking(_ reason: String) -> Verdict {
        Verdict(impact: .breaking, reason: reason)
    }
}
