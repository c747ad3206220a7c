/// The invariants that every history must keep, each with its sentence for reports.
package enum Invariant: String, Hashable, Sendable, CaseIterable {
    /// Every request of a correct client is answered, each of its changes with an outcome.
    case everyRequestIsAnswered =
        "every request of a correct client is answered, with an outcome for each of its changes"
    /// No client receives a record or field that its user may not see at that moment.
    case nobodyGetsWhatIsNotTheirs =
        "nobody receives a record or a field without the right"
    /// A client receives a visible record as it is stored.
    case everybodyGetsWhatIsStored =
        "a user with the right receives a record as it is stored"
    /// After convergence, a device has exactly the records that a fresh one receives.
    case oldAndFreshAgree =
        "an old device has exactly the records of a fresh one"
    /// The system converges.
    case itConverges =
        "if all devices sync and no user changes anything, nothing remains to be synced"
    /// A change takes effect at most once, and a repeat gets the same outcome.
    case changesTakeEffectOnce =
        "a change takes effect at most once, and a repeat gets the same outcome"
    /// An acknowledged change is in the record, in its history, or in a conflict.
    case nothingAcknowledgedIsLost =
        "confirmed values are in the record, in its history, or in a conflict"
    /// A value that an author had not seen is replaced only as the conflict mode specifies.
    case nobodyOverwritesTheUnseen =
        "values are overwritten unseen only as the conflict mode specifies"
    /// The two sides of a conflict had not seen each other.
    case conflictsAreReal =
        "a conflict is between two changes that are unaware of each other"
    /// Every effective change respects the rights of the definition.
    case rightsAreKept =
        "effects comply with the rights of the definition"
    /// Every effective change respects limits, relations and unique values.
    case limitsAreKept =
        "effects comply with limits, relations and unique values"
    /// The server does not refuse by its rules what the device allows by the same rules.
    case deviceAndServerAgree =
        "the server does not refuse a change by rules under which the device allowed it"
    /// A saved change is kept, and sent as it was saved, until it has an outcome.
    case clientKeepsWhatIsSaved =
        "an edit saved on a device is kept and sent unchanged until it has an outcome"
    /// A device stores and shows the records that the server sent, with the saved changes applied.
    case clientHoldsWhatItGot =
        "a device stores and displays what the server sent, with the saved edits on top"
    /// A client can continue after every answer, and after any end of its app.
    case clientGoesOn =
        "a client can continue after every response, and after every end of its app"
    /// An app that was built with an earlier version is served with the names of that version.
    case everyAppIsUnderstood =
        "an app of an earlier version is served with the names of that version"
    /// A value of a field that the current version does not have is refused by the field's name.
    case goneFieldsAreRefusedByName =
        "a value of a field that is gone is refused by the name of the field"
    /// After a deployment or an app update, a device continues where it was.
    case updatesDownloadNothingAgain =
        "after deployments and app updates, a device receives only what is new to it"
    /// A reader that asks for changes after the last stamp it knows gets every change.
    case stampsTellEveryChange =
        "a reader that asks for changes after the last stamp it knows gets every change"
    /// A client that knows a time in place of a cursor ends with what a fresh one receives.
    case timesTellWhatIsSeen =
        "a client that knows a time in place of a cursor ends with what a fresh one receives"
    /// A pull by time tells a record that did not change meanwhile once, at the last of its times.
    case timesTellOnce =
        "a client that knows a time in place of a cursor gets each record once in a pull"
    /// A batch of all or nothing takes effect as a whole or leaves nothing.
    case wholeBatchesAreWhole =
        "a batch of all or nothing takes effect as a whole or leaves nothing"
    /// A change that only asks needs no right but to see the record, and has no effect.
    case questionsOnlyAsk =
        "a change that only asks is answered by what is there, and leaves no trace of itself"
    /// A request takes effect as a whole, part after part, or leaves nothing; a repeat has no
    /// effect, whatever its parts are.
    case partsAreDoneOnceInOrder =
        "the parts of a request take effect in order, once, however often it is repeated"
    /// A deleted row of another service becomes a deleted record, whatever its values are.
    case deletedRowsAreDeletions =
        "a deleted row of another service becomes a deleted record, once, with any values"
    /// A push whose caller has gone while it was decided has no effect.
    case goneCallersLeaveNothing =
        "a push whose caller has gone while it was decided has no effect"
    /// A deployment brings values to all records that lack one, and replaces none.
    case deploymentsFillWhatIsMissing =
        "a deployment brings values to all records that lack one, and replaces none"

    /// A sentence for reports.
    package var sentence: String { rawValue }
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
