/// The invariants that every history must keep.
package enum Invariant: String, Hashable, Sendable, CaseIterable {
    /// Every request of a correct client is answered, each of its changes with an outcome.
    case everyRequestIsAnswered
    /// No client receives a record or field that its user may not see at that moment.
    case nobodyGetsWhatIsNotTheirs
    /// A client receives a visible record as it is stored.
    case everybodyGetsWhatIsStored
    /// After convergence, a device has exactly the records that a fresh one receives.
    case oldAndFreshAgree
    /// The system converges.
    case itConverges
    /// A change takes effect at most once, and a repeat gets the same outcome.
    case changesTakeEffectOnce
    /// An acknowledged change is in the record, in its history, or in a conflict.
    case nothingAcknowledgedIsLost
    /// A value that an author had not seen is replaced only as the conflict mode specifies.
    case nobodyOverwritesTheUnseen
    /// The two sides of a conflict had not seen each other.
    case conflictsAreReal
    /// Every effective change respects the rights of the definition.
    case rightsAreKept
    /// Every effective change respects limits, relations and unique values.
    case limitsAreKept
    /// The server does not refuse by its rules what the device allows by the same rules.
    case deviceAndServerAgree
    /// A saved change is kept, and sent as it was saved, until it has an outcome.
    case clientKeepsWhatIsSaved
    /// A device stores and shows the records that the server sent, with the saved changes applied.
    case clientHoldsWhatItGot
    /// A client can continue after every answer, and after any end of its app.
    case clientGoesOn
}

/// A violated invariant, with a description of the finding.
package struct InvariantViolation: Error, Hashable, Sendable {
    package let invariant: Invariant
    package let finding: String

    init(_ invariant: Invariant, _ finding: String) {
        self.invariant = invariant
        self.finding = finding
    }
}

extension Invariant {
    /// A sentence for reports.
    package var sentence: String {
        switch self {
        case .everyRequestIsAnswered:
            "every request of a correct client is answered, each of its changes with an outcome"
        case .nobodyGetsWhatIsNotTheirs:
            "nobody gets a record or a field that is not theirs"
        case .everybodyGetsWhatIsStored:
            "whoever may see a record gets it as it is stored"
        case .oldAndFreshAgree:
            "an old device holds exactly what a fresh one gets"
        case .itConverges:
            "when everybody syncs and nobody changes anything, it calms down"
        case .changesTakeEffectOnce:
            "a change takes effect once at most, and a repeat gets the same outcome"
        case .nothingAcknowledgedIsLost:
            "what was acknowledged is there, in the history, or in a conflict"
        case .nobodyOverwritesTheUnseen:
            "nothing is replaced by someone who did not know it, but as the conflict mode says"
        case .conflictsAreReal:
            "a conflict is between two who did not know of each other"
        case .rightsAreKept:
            "what takes effect keeps the rights of the definition"
        case .limitsAreKept:
            "what takes effect keeps limits, relations and unique values"
        case .deviceAndServerAgree:
            "what a device allows by the rules that hold, the server does not refuse by them"
        case .clientKeepsWhatIsSaved:
            "what was saved on a device is kept, and sent as it was saved, until it has an outcome"
        case .clientHoldsWhatItGot:
            "a device holds and shows what the server sent, with what was saved on top"
        case .clientGoesOn:
            "a client can go on after every answer, and however its app ended"
        }
    }
}
