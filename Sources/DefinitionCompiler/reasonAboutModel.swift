import DefinitionModel

/// What the rights to a model's records come to, as a whole and role by role.
func reasonAboutModel(_ number: Int, in survey: Survey, reportingTo findings: inout Findings) {
    let model = survey.contents.models[number]
    let tally = survey.tallies[number]
    let place = { survey.document.range(of: "name", at: model.place) }
    if tally.readers == 0 {
        findings.warn(.modelNobodyReads(model.name, at: place()))
    } else if tally.creators == 0 {
        findings.warn(.modelNobodyCreates(model.name, at: place()))
    }
    if model.conflictMode.needsSomeone, tally.changers > 0, tally.resolvers == 0 {
        let mode = survey.document.conflictMode(of: model)?.valueRange
        findings.warn(.nobodyResolves(model.name, at: place(), mode: mode))
    }
    let oddities = tally.oddities.subtracting(tally.readers == 0 ? .withoutRead : [])
    guard !oddities.isEmpty else { return }
    let creators = Creators(of: model, in: survey.document)
    for (role, credential) in model.credentialsInOrder {
        let written = WrittenCredential(
            role: role, model: model.name, field: nil, place: credential.place,
            document: survey.document)
        let found = oddities.intersection(Oddities(of: credential))
        report(found, of: credential, written, creators: creators, to: &findings)
    }
}

private func report(
    _ oddities: Oddities, of credential: ModelCredential, _ written: WrittenCredential,
    creators: Creators, to findings: inout Findings
) {
    if oddities.contains(.createWithoutRead) {
        findings.warn(.createWithoutRead(written, does: credential.changes.verbs))
    }
    if oddities.contains(.updateWithoutRead) {
        findings.warn(
            .updateWithoutRead(
                written.blindness("update", credential.update, read: credential.read)))
    }
    if oddities.contains(.deleteWithoutRead) {
        findings.warn(
            .deleteWithoutRead(
                written.blindness("delete", credential.delete, read: credential.read)))
    }
    if oddities.contains(.resolveWithoutUpdate) {
        findings.warn(.resolveWithoutUpdate(written))
    }
    if oddities.contains(.groupSameAsOwn) {
        findings.warn(.groupSameAsOwn(written, written.rights(.create)))
    }
    if oddities.contains(.maybeReachesNoRecord), creators.areAllOutside(written.role.group) {
        findings.warn(
            .reachesNoRecord(
                written, written.rights(credential.dependingOnOthers), creator: creators.first))
    }
}

extension Document {
    /// Where it is said; nil where nothing is.
    fileprivate func conflictMode(of model: Model) -> Attribute? {
        element(at: model.place)?[own: "conflictMode"] ?? root[own: "conflictMode"]
            ?? root["conflictMode"]
    }
}

extension ConflictMode {
    /// Whether a conflict waits for someone who resolves it.
    fileprivate var needsSomeone: Bool {
        switch self {
        case .manual, .merge: true
        case .overwrite, .discard: false
        }
    }
}

/// Who creates records of a model, and so comes to own them.
struct Creators {
    private let groups: Set<String>
    /// The first that may, in the order of the document.
    let first: WrittenCredential?

    init(of model: Model, in document: Document) {
        let creating = model.credentialsInOrder.filter { $0.credential.create.reachesSome }
        groups = Set(creating.map(\.role.group))
        first = creating.first.map {
            WrittenCredential(
                role: $0.role, model: model.name, field: nil, place: $0.credential.place,
                document: document)
        }
    }

    /// Whether there are some, and none of them is of the group.
    func areAllOutside(_ group: String) -> Bool { first != nil && !groups.contains(group) }
}
