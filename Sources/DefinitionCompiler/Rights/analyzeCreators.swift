import DefinitionModel

/// Checks that roles that may create records of a model may also set its required fields.
func analyzeCreators(
    ofModel number: Int, _ counts: [FieldCounts], in definition: DefinitionIndex,
    reportingTo collector: inout DiagnosticCollector
) {
    let model = definition.contents.models[number]
    let creators = definition.counts[number].creators
    let lacking = model.fields.indices.filter {
        model.fields[$0].mustBeGiven && counts[$0].writers < creators
    }
    guard !lacking.isEmpty, creators > 0 else { return }
    let unwritten = lacking.filter { counts[$0].writers == 0 }
    for index in unwritten {
        collector.report(
            .requiredNeverWritable(
                UnwritableField(model.fields[index], of: model, in: definition.document)))
    }
    guard !unwritten.isEmpty || !roles(thatFill: model).isEmpty else {
        collector.report(
            .neverCreatable(
                model.name, at: definition.document.range(of: "name", at: model.place),
                gaps: gaps(in: lacking.map { model.fields[$0] }, of: model, definition.document)))
        return
    }
    for index in lacking where counts[index].writers > 0 {
        collector.warn(
            .requiredNotWritable(
                UnwritableField(model.fields[index], of: model, in: definition.document)))
    }
}

extension Field {
    /// Whether the role may set the field in records that it may create.
    fileprivate func isCreated(by role: Role) -> Bool {
        credentials[role].map { $0.create.reachesSome } ?? false
    }
}

/// The roles that may create records of a model and set all of its required fields.
func roles(thatFill model: Model) -> Set<Role> {
    var filled: [Role: Int] = [:]
    for (role, credential) in model.credentials where credential.create.reachesSome {
        filled[role] = 0
    }
    var required = 0
    for field in model.fields where field.mustBeGiven {
        required += 1
        for (role, credential) in field.credentials where credential.create.reachesSome {
            filled[role]? += 1
        }
    }
    return Set(filled.filter { $0.value == required }.keys)
}

/// For each of the first roles that may create records, a field that it may not set.
private func gaps(in fields: [Field], of model: Model, _ document: Document) -> [RelatedRange] {
    let creators = model.credentialsInOrder.filter { $0.credential.create.reachesSome }
    return creators.prefix(mostShown).compactMap { role, _ in
        fields.first { !$0.isCreated(by: role) }.map {
            RelatedRange(
                range: document.range(of: "name", at: $0.place),
                message: "\(quoted(role.name)) may not give this one a value")
        }
    }
}

private let mostShown = 3

/// A required field that some roles that may create a record may not set.
struct UnwritableField {
    let model: String
    let field: String
    let type: FieldTypeName
    let range: Range<Int>
    /// The roles, in document order, and the places of their right to create.
    let roles: [String]
    let creations: [RelatedRange]
}

extension UnwritableField {
    fileprivate init(_ field: Field, of model: Model, in document: Document) {
        let unable = model.credentialsInOrder.filter { role, credential in
            credential.create.reachesSome && !field.isCreated(by: role)
        }
        self.model = model.name
        self.field = field.name
        type = field.type.name
        range = document.range(of: "name", at: field.place)
        roles = unable.map(\.role.name)
        creations = unable.prefix(mostShown).map { role, credential in
            RelatedRange(
                range: document.range(of: "createAllowed", at: credential.place),
                message: "\(quoted(role.name)) may create records here")
        }
    }
}
