/// What must hold of every history.
package enum Promise: String, Hashable, Sendable, CaseIterable {
    /// Every request of a correct client is answered, each of its changes with an outcome.
    case everyRequestIsAnswered
    /// Nobody gets a record or a field that is not theirs then.
    case nobodyGetsWhatIsNotTheirs
    /// Whoever may see a record gets it as it is stored.
    case everybodyGetsWhatIsStored
    /// When it has calmed down, a device holds exactly what a fresh one gets.
    case oldAndFreshAgree
    /// It calms down at all.
    case itCalmsDown
    /// A change takes effect once at most, and a repeat gets the same outcome.
    case changesTakeEffectOnce
    /// What was acknowledged is there, in the history, or in a conflict.
    case nothingAcknowledgedIsLost
    /// Nothing is replaced by who did not know it, but as the conflict mode says.
    case nobodyOverwritesTheUnseen
    /// A conflict is between two who did not know of each other.
    case conflictsAreReal
    /// What takes effect keeps the definition's rights.
    case rightsAreKept
    /// What takes effect keeps limits, relations and unique values.
    case limitsAreKept
    /// What a device allows by the rules that hold, the server does not refuse by them.
    case deviceAndServerAgree
    /// What was saved on a device is kept, and sent as it was saved, until it has an outcome.
    case clientKeepsWhatIsSaved
    /// A device holds and shows what the server sent, with what was saved on top.
    case clientHoldsWhatItGot
    /// A client can go on after every answer, and however its app ended.
    case clientGoesOn
}

/// That a promise was not kept, and what was seen of it.
package struct BrokenPromise: Error, Hashable, Sendable {
    package let promise: Promise
    package let finding: String

    init(_ promise: Promise, _ finding: String) {
        self.promise = promise
        self.finding = finding
    }
}

extension Promise {
    /// As a sentence for people.
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
        case .itCalmsDown:
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
