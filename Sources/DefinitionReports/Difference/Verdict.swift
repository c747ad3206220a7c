/// How much a difference weighs.
package enum Weight: Int, Hashable, Sendable, CaseIterable, Comparable {
    case safe, needsDefault, breaking

    package static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }

    /// In JSON and on the command line.
    package var name: String {
        switch self {
        case .safe: "safe"
        case .needsDefault: "needs-default"
        case .breaking: "breaking"
        }
    }

    /// For people.
    var words: String {
        switch self {
        case .safe: "safe"
        case .needsDefault: "needs a default"
        case .breaking: "breaking"
        }
    }
}

/// What a difference means to stored data, or to clients that were made for the old definition.
package struct Verdict: Hashable, Sendable {
    package let weight: Weight
    /// In half a sentence.
    package let reason: String

    static func safe(_ reason: String) -> Verdict { Verdict(weight: .safe, reason: reason) }

    static func needsDefault(_ reason: String) -> Verdict {
        Verdict(weight: .needsDefault, reason: reason)
    }

    static func breaking(_ reason: String) -> Verdict {
        Verdict(weight: .breaking, reason: reason)
    }
}
