import JSON
import SyncProtocol

extension Client {
    /// What is wrong with what the real client holds; nil where it is as it should be.
    func fault(in held: Holdings) -> BrokenPromise? {
        faultInQueue(held) ?? faultInRecords(held) ?? faultInWhatIsShown(held)
    }

    private func faultInQueue(_ held: Holdings) -> BrokenPromise? {
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
        changes.sorted { $0.inWords < $1.inWords }
    }

    private func kept(
        _ verb: String, _ held: [HeldChange], and expected: [HeldChange]
    ) -> BrokenPromise {
        let list = { (changes: [HeldChange]) in
            "[\(changes.map(\.inWords).joined(separator: "; "))]"
        }
        return BrokenPromise(
            .clientKeepsWhatIsSaved,
            "\(inWords) \(verb) \(list(held)), and should have \(list(expected))")
    }

    private func faultInRecords(_ held: Holdings) -> BrokenPromise? {
        guard held.cursor == cursor else {
            return BrokenPromise(.clientHoldsWhatItGot, "\(inWords) has another cursor")
        }
        for guid in Set(held.records.keys).union(records.keys).sorted()
        where awaited[guid] == nil {
            let got = held.records[guid].flatMap { $0.deleted && !$0.conflicted ? nil : $0 }
            guard got == records[guid] else {
                return BrokenPromise(
                    .clientHoldsWhatItGot,
                    "\(inWords) holds \(got?.inWords ?? "nothing"), and was sent "
                        + "\(inWords(guid))")
            }
        }
        return nil
    }

    /// Null and nothing are the same here: what is made on a device has all of its fields.
    private func faultInWhatIsShown(_ held: Holdings) -> BrokenPromise? {
        let guids = Set(held.shown.keys).union(everythingSeen().map(\.guid))
        for guid in guids.sorted() where !isVague(guid) {
            let seen = seen(guid).flatMap { $0.isDeleted ? nil : $0.fields }
            guard held.shown[guid]?.withoutNulls == seen?.withoutNulls else {
                return BrokenPromise(
                    .clientHoldsWhatItGot,
                    "\(inWords) shows \(held.shown[guid]?.inWords ?? "nothing") of "
                        + "\(recordInWords(guid, model: "record")), and should show "
                        + "\(seen?.inWords ?? "nothing")")
            }
        }
        return nil
    }

    /// Whether nobody here can tell what an accepted change made of a record.
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
