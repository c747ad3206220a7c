import DefinitionModel

/// Reports issues of the rights on a model's records, for the model and for each role.
func analyzeModel(
    _ number: Int, in definition: DefinitionIndex, reportingTo collector: inout DiagnosticCollector
) {
    let model = definition.contents.models[number]
    let counts = definition.counts[number]
    let place = { definition.document.range(of: "name", at: model.place) }
    if counts.readers == 0 {
        collector.warn(.modelNobodyReads(model.name, at: place()))
    } else if counts.creators == 0 {
        collector.warn(.modelNobodyCreates(model.name, at: place()))
    }
    if model.conflictMode.needsSomeone, counts.changers > 0, counts.resolvers == 0 {
        let mode = definition.document.conflictMode(of: model)?.valueRange
        collector.warn(.nobodyResolves(model.name, at: place(), mode: mode))
    }
    let issues = counts.issues.subtracting(counts.readers == 0 ? .withoutRead : [])
    guard !issues.isEmpty else { return }
    let creators = Creators(of: model, in: definition.document)
    for (role, credential) in model.credentialsInOrder {
        let written = WrittenCredential(
            role: role, model: model.name, field: nil, place: credential.place,
            document: definition.document)
        let found = issues.intersection(RightsIssues(of: credential))
        report(found, of: credential, written, creators: creators, to: &collector)
    }
}

private func report(
    _ issues: RightsIssues, of credential: ModelCredential, _ written: WrittenCredential,
    creators: Creators, to collector: inout DiagnosticCollector
) {
    if issues.contains(.createWithoutRead) {
        collector.warn(.createWithoutRead(written, does: credential.changes.verbs))
    }
    if issues.contains(.updateWithoutRead) {
        collector.warn(
            .updateWithoutRead(
                written.unseenWrite("update", credential.update, read: credential.read)))
    }
    if issues.contains(.deleteWithoutRead) {
        collector.warn(
            .deleteWithoutRead(
                written.unseenWrite("delete", credential.delete, read: credential.read)))
    }
    if issues.contains(.resolveWithoutUpdate) {
        collector.warn(.resolveWithoutUpdate(written))
    }
    if issues.contains(.groupSameAsOwn) {
        collector.warn(.groupSameAsOwn(written, written.rights(.create)))
    }
    if issues.contains(.maybeReachesNoRecord), creators.areAllOutside(written.role.group) {
        collector.warn(
            .reachesNoRecord(
                written, written.rights(credential.dependingOnOthers), creator: creators.first))
    }
}

extension Document {
    /// The attribute that sets the mode; nil if there is none.
    fileprivate func conflictMode(of model: Model) -> Attribute? {
        element(at: model.place)?[own: "conflictMode"] ?? root[own: "conflictMode"]
            ?? root["conflictMode"]
    }
}

extension ConflictMode {
    /// Whether a conflict stays open until someone resolves it.
    fileprivate var needsSomeone: Bool {
        switch self {
        case .manual, .merge: true
        case .overwrite, .discard: false
        }
    }
}

/// The roles that create records of a model, and so become owners of them.
struct Creators {
    private let groups: Set<String>
    /// The first such role in document order.
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

    /// Whether there are creators, and none of them belongs to the group.
    func areAllOutside(_ group: String) -> Bool { first != nil && !groups.contains(group) }
}
