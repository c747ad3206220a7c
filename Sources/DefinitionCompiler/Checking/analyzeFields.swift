import DefinitionModel

/// Reports issues of the rights on a model's fields, in combination with those on its records.
func analyzeFields(
    ofModel number: Int, in definition: DefinitionIndex,
    reportingTo collector: inout DiagnosticCollector
) {
    let model = definition.contents.models[number]
    let records = model.credentials
    var counts: [FieldCounts] = []
    counts.reserveCapacity(model.fields.count)
    for field in model.fields.indices {
        counts.append(FieldCounts(field, of: model, records, in: definition))
    }
    analyzeReaders(of: model, counts, in: definition, reportingTo: &collector)
    analyzeCreators(ofModel: number, counts, in: definition, reportingTo: &collector)
    guard counts.contains(where: { !$0.issues.isEmpty }) else { return }
    let creators = Creators(of: model, in: definition.document)
    for (number, counts) in counts.enumerated() where !counts.issues.isEmpty {
        let context = FieldContext(
            field: model.fields[number], model: model, records: records,
            target: definition.target(of: number, in: model), creators: creators,
            document: definition.document)
        let ignored: RightsIssues = counts.readers == 0 ? .withoutRead : []
        for (role, credential) in context.field.credentialsInOrder {
            report(role, credential, ignoring: ignored, in: context, to: &collector)
        }
    }
}

/// If nobody may read any field of a model, this is reported once.
private func analyzeReaders(
    of model: Model, _ counts: [FieldCounts], in definition: DefinitionIndex,
    reportingTo collector: inout DiagnosticCollector
) {
    guard model.credentials.values.contains(where: { $0.read.reachesSome }) else { return }
    let unread = counts.indices.filter { counts[$0].readers == 0 }
    guard unread.count < counts.count || unread.count < 2 else {
        let place = definition.document.range(of: "name", at: model.place)
        collector.warn(.modelNobodyReads(fieldsOf: model.name, at: place))
        return
    }
    for index in unread {
        let field = model.fields[index]
        collector.warn(
            .fieldNobodyReads(
                field.name, model: model.name,
                at: definition.document.range(of: "name", at: field.place)))
    }
}

/// The context for checking the rights of roles on one field.
private struct FieldContext {
    let field: Field
    let model: Model
    let records: RoleTable<ModelCredential>
    /// See `DefinitionIndex.target(of:in:)`.
    let target: Model?
    let creators: Creators
    let document: Document
}

private func report(
    _ role: Role, _ credential: FieldCredential, ignoring ignored: RightsIssues,
    in context: FieldContext, to collector: inout DiagnosticCollector
) {
    let record = context.records[role] ?? .nothing
    let issues = RightsIssues(of: credential, under: record).subtracting(ignored)
    let written = WrittenCredential(
        role: role, model: context.model.name, field: context.field.name, place: credential.place,
        document: context.document)
    if issues.contains(.createWithoutRead) {
        collector.warn(.createWithoutRead(written, does: ["create"]))
    }
    if issues.contains(.updateWithoutRead) {
        let level = credential.updateOfSeen(under: record)
        collector.warn(
            .updateWithoutRead(written.unseenWrite("update", level, read: credential.read)))
    }
    if issues.contains(.groupSameAsOwn) {
        collector.warn(
            .groupSameAsOwn(written, written.rights(credential.byGroupInVain(under: record))))
    }
    if issues.contains(.maybeReachesNoRecord), context.creators.areAllOutside(role.group) {
        collector.warn(
            .reachesNoRecord(
                written, written.rights(credential.dependingOnOthers(under: record)),
                creator: context.creators.first))
    }
    if issues.contains(.voidFieldRight) {
        let void = credential.void(under: record)
        collector.warn(
            .voidFieldRight(
                written, written.rights(void),
                refusal: context.document.refusal(of: void, to: role, of: context.model)))
    }
    if let target = context.target, !target.isReadable(to: role), credential.isUsed(under: record) {
        collector.warn(
            .relationToUnreadable(
                written, written.rights(credential.isRead(under: record) ? .read : .create),
                target: target.name,
                refusal: context.document.refusal(of: .read, to: role, of: target)))
    }
}

extension Document {
    /// The place that gives a role its rights on the model's records, or that omits them.
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

// MARK: - Required fields

/// Warns of required fields that a role may not read in all records that it may read: original
/// clients cannot store such a record without a placeholder. Fields that nobody may read are
/// reported otherwise.
func analyzeHiddenRequirements(
    ofModel number: Int, in definition: DefinitionIndex,
    reportingTo collector: inout DiagnosticCollector
) {
    let model = definition.contents.models[number]
    for field in model.fields where field.isRequired {
        // Most required fields are readable to every role; places are looked up for the others.
        guard field.isHidden(in: model), field.credentials.values.contains(where: \.readsSome)
        else { continue }
        let readers = model.credentialsInOrder.filter {
            field.isHidden(from: $0.role, reading: $0.credential.read)
        }
        guard let first = readers.first else { continue }
        let place = field.credentials[first.role]?.place ?? first.credential.place
        collector.warn(
            .requiredNotReadable(
                field.name, model: model.name, roles: readers.map(\.role.name),
                at: definition.document.range(of: "required", at: field.place),
                right: definition.document.range(of: "readAllowed", at: place)))
    }
}

extension Field {
    fileprivate func isHidden(in model: Model) -> Bool {
        zip(model.credentials.keys, model.credentials.values).contains {
            isHidden(from: $0, reading: $1.read)
        }
    }

    /// Whether the role may read more records than the field in them.
    fileprivate func isHidden(from role: Role, reading records: AccessLevel) -> Bool {
        records.isWider(than: credentials[role]?.read ?? .none)
    }
}

extension FieldCredential {
    fileprivate var readsSome: Bool { read.reachesSome }
}
