import JSON
import SyncProtocol

extension Client {
    /// The violation in what the real client holds; nil if it is correct.
    func fault(in held: Holdings) -> InvariantViolation? {
        faultInQueue(held) ?? faultInRecords(held) ?? faultInWhatIsShown(held)
    }

    private func faultInQueue(_ held: Holdings) -> InvariantViolation? {
        let expected = waiting.map { HeldChange($0, $0.stage) }
        guard held.waiting == expected else {
            return kept("has waiting", held.waiting, and: expected)
        }
        let expectedRefused = ordered(refused.map { HeldChange($0, .waiting) })
        let refused = ordered(held.refused)
        guard refused == expectedRefused else {
            return kept("has refused", refused, and: expectedRefused)
        }
        return nil
    }

    private func ordered(_ changes: [HeldChange]) -> [HeldChange] {
        changes.sorted { $0.summary < $1.summary }
    }

    private func kept(
        _ verb: String, _ held: [HeldChange], and expected: [HeldChange]
    ) -> InvariantViolation {
        let list = { (changes: [HeldChange]) in
            "[\(changes.map(\.summary).joined(separator: "; "))]"
        }
        return InvariantViolation(
            .clientKeepsWhatIsSaved,
            "\(summary) \(verb) \(list(held)), and should have \(list(expected))")
    }

    private func faultInRecords(_ held: Holdings) -> InvariantViolation? {
        guard held.cursor == cursor else {
            return InvariantViolation(
                .clientHoldsWhatItGot, "\(summary) has another cursor")
        }
        for guid in Set(held.records.keys).union(records.keys).sorted()
        where awaited[guid] == nil {
            let got = held.records[guid].flatMap { $0.deleted && !$0.conflicted ? nil : $0 }
            guard got == records[guid] else {
                return InvariantViolation(
                    .clientHoldsWhatItGot,
                    "\(summary) holds \(got?.summary ?? "nothing"), and was sent "
                        + "\(summary(guid))")
            }
        }
        return nil
    }

    /// Null and absent are equivalent here: a record created on a device has all of its fields.
    private func faultInWhatIsShown(_ held: Holdings) -> InvariantViolation? {
        let guids = Set(held.shown.keys).union(everythingSeen().map(\.guid))
        for guid in guids.sorted() where !isVague(guid) {
            let seen = seen(guid).flatMap { $0.isDeleted ? nil : $0.fields }
            guard held.shown[guid]?.fields.withoutNulls == seen?.withoutNulls else {
                return InvariantViolation(
                    .clientHoldsWhatItGot,
                    "\(summary) shows \(held.shown[guid]?.fields.summary ?? "nothing") of "
                        + "\(shortName(guid, model: "record")), and should show "
                        + "\(seen?.summary ?? "nothing")")
            }
        }
        return nil
    }

    /// Whether the effect of an accepted change on a record cannot be predicted here.
    private func isVague(_ guid: String) -> Bool {
        guard let awaited = awaited[guid] else { return false }
        return awaited == nil
    }
}

extension HeldChange {
    fileprivate init(_ change: WaitingChange, _ stage: Stage) {
        let message = change.message
        self.init(
            message.action, model: message.model, guid: message.guid, fields: message.fields,
            stage: stage)
    }
}

extension [String: JSONValue] {
    fileprivate var withoutNulls: Self { filter { $0.value != .null } }
}
