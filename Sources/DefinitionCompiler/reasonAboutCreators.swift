import DefinitionModel

/// Whether the roles that may create records of a model may also give its required fields a value.
func reasonAboutCreators(
    ofModel number: Int, _ tallies: [FieldTally], in survey: Survey,
    reportingTo findings: inout Findings
) {
    let model = survey.contents.models[number]
    let creators = survey.tallies[number].creators
    let lacking = model.fields.indices.filter {
        model.fields[$0].mustBeGiven && tallies[$0].writers < creators
    }
    guard !lacking.isEmpty, creators > 0 else { return }
    let unwritten = lacking.filter { tallies[$0].writers == 0 }
    for index in unwritten {
        findings.report(
            .requiredNeverWritable(Shortfall(model.fields[index], of: model, in: survey.document)))
    }
    guard !unwritten.isEmpty || !roles(thatFill: model).isEmpty else {
        findings.report(
            .neverCreatable(
                model.name, at: survey.document.range(of: "name", at: model.place),
                gaps: gaps(in: lacking.map { model.fields[$0] }, of: model, survey.document)))
        return
    }
    for index in lacking where tallies[index].writers > 0 {
        findings.warn(
            .requiredNotWritable(Shortfall(model.fields[index], of: model, in: survey.document)))
    }
}

extension Field {
    /// Whether the role may give it a value in the records that it may create.
    fileprivate func isCreated(by role: Role) -> Bool {
        credentials[role].map { $0.create.reachesSome } ?? false
    }
}

/// Of the roles that may create records of a model, those that may give each of its required fields
/// a value.
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

/// Of the first roles that may create records, a field that they may not give a value.
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

/// A required field that some who may create a record may not give a value.
struct Shortfall {
    let model: String
    let field: String
    let type: FieldTypeName
    let range: Range<Int>
    /// Who may not, in the order of the document, and where it is said that they may create.
    let roles: [String]
    let creations: [RelatedRange]
}

extension Shortfall {
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
