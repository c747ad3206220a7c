import DefinitionModel

/// What the rights to the fields of a model come to, together with those to its records.
func reasonAboutFields(
    ofModel number: Int, in survey: Survey, reportingTo findings: inout Findings
) {
    let model = survey.contents.models[number]
    let records = model.credentials
    var tallies: [FieldTally] = []
    tallies.reserveCapacity(model.fields.count)
    for field in model.fields.indices {
        tallies.append(FieldTally(field, of: model, records, in: survey))
    }
    reasonAboutReaders(of: model, tallies, in: survey, reportingTo: &findings)
    reasonAboutCreators(ofModel: number, tallies, in: survey, reportingTo: &findings)
    guard tallies.contains(where: { !$0.oddities.isEmpty }) else { return }
    let creators = Creators(of: model, in: survey.document)
    for (number, tally) in tallies.enumerated() where !tally.oddities.isEmpty {
        let scope = FieldScope(
            field: model.fields[number], model: model, records: records,
            target: survey.target(of: number, in: model), creators: creators,
            document: survey.document)
        let ignored: Oddities = tally.readers == 0 ? .withoutRead : []
        for (role, credential) in scope.field.credentialsInOrder {
            report(role, credential, ignoring: ignored, in: scope, to: &findings)
        }
    }
}

/// Where nobody may read anything of a model, that is said once.
private func reasonAboutReaders(
    of model: Model, _ tallies: [FieldTally], in survey: Survey,
    reportingTo findings: inout Findings
) {
    guard model.credentials.values.contains(where: { $0.read.reachesSome }) else { return }
    let unread = tallies.indices.filter { tallies[$0].readers == 0 }
    guard unread.count < tallies.count || unread.count < 2 else {
        let place = survey.document.range(of: "name", at: model.place)
        findings.warn(.modelNobodyReads(fieldsOf: model.name, at: place))
        return
    }
    for index in unread {
        let field = model.fields[index]
        findings.warn(
            .fieldNobodyReads(
                field.name, model: model.name,
                at: survey.document.range(of: "name", at: field.place)))
    }
}

/// What the rights of roles to one field are looked at with.
private struct FieldScope {
    let field: Field
    let model: Model
    let records: RoleTable<ModelCredential>
    /// See `Survey.target(of:in:)`.
    let target: Model?
    let creators: Creators
    let document: Document
}

private func report(
    _ role: Role, _ credential: FieldCredential, ignoring ignored: Oddities,
    in scope: FieldScope, to findings: inout Findings
) {
    let record = scope.records[role] ?? .nothing
    let oddities = Oddities(of: credential, under: record).subtracting(ignored)
    let written = WrittenCredential(
        role: role, model: scope.model.name, field: scope.field.name, place: credential.place,
        document: scope.document)
    if oddities.contains(.createWithoutRead) {
        findings.warn(.createWithoutRead(written, does: ["create"]))
    }
    if oddities.contains(.updateWithoutRead) {
        let level = credential.updateOfSeen(under: record)
        findings.warn(
            .updateWithoutRead(written.blindness("update", level, read: credential.read)))
    }
    if oddities.contains(.groupSameAsOwn) {
        findings.warn(
            .groupSameAsOwn(written, written.rights(credential.byGroupInVain(under: record))))
    }
    if oddities.contains(.maybeReachesNoRecord), scope.creators.areAllOutside(role.group) {
        findings.warn(
            .reachesNoRecord(
                written, written.rights(credential.dependingOnOthers(under: record)),
                creator: scope.creators.first))
    }
    if oddities.contains(.voidFieldRight) {
        let void = credential.void(under: record)
        findings.warn(
            .voidFieldRight(
                written, written.rights(void),
                refusal: scope.document.refusal(of: void, to: role, of: scope.model)))
    }
    if let target = scope.target, !target.isReadable(to: role), credential.isUsed(under: record) {
        findings.warn(
            .relationToUnreadable(
                written, written.rights(credential.isRead(under: record) ? .read : .create),
                target: target.name,
                refusal: scope.document.refusal(of: .read, to: role, of: target)))
    }
}

extension Document {
    /// Where it is said, or left unsaid, that a role has rights to the records of a model.
    fileprivate func refusal(
        of rights: Operations, to role: Role, of model: Model
    ) -> RelatedRange {
        guard let credential = model.credentials[role] else {
            return RelatedRange(
                range: range(of: "name", at: model.place),
                message: "\(quoted(model.name)) has no credential for \(quoted(role.name))")
        }
        return RelatedRange(
            range: range(of: rights.attributes.first ?? "role", at: credential.place),
            message: "\(quoted(role.name)) may not \(rights.verbs.joined(separator: " or ")) "
                + "records of \(quoted(model.name))")
    }
}
