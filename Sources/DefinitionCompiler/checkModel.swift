import DefinitionModel

/// Nil when a part is missing that nothing can stand in for. Its name has been checked with those
/// of the other models.
func checkModel(
    _ element: Element, in scope: Scope, reportingTo findings: inout Findings
) -> Model? {
    let fieldElements = element.items("field", in: "fields")
    let names = checkNames(of: fieldElements, as: .field, reportingTo: &findings)
    checkRenames(of: fieldElements, as: .field, among: names, reportingTo: &findings)
    let fields = fieldElements.compactMap { checkField($0, in: scope, reportingTo: &findings) }
    let credentials = checkCredentials(of: element, in: scope, reportingTo: &findings) {
        ModelCredential(
            create: checkLevel("createAllowed", of: $0, reportingTo: &$1),
            read: checkLevel("readAllowed", of: $0, reportingTo: &$1),
            update: checkLevel("updateAllowed", of: $0, reportingTo: &$1),
            delete: checkLevel("deleteAllowed", of: $0, reportingTo: &$1),
            resolvesConflicts: checkBoolean($0["resolveConflictAllowed"], reportingTo: &$1),
            place: scope.text.place(at: start(of: $0)))
    }
    let conflictMode = checkEnumerated(
        element[own: "conflictMode"], absent: scope.conflictMode, reportingTo: &findings)
    guard let name = element["name"] else { return nil }
    if fieldElements.isEmpty {
        findings.report(.emptyModel(name.value, at: name.valueRange))
    }
    return Model(
        name: name.value, description: description(of: element),
        renamedFrom: earlierNames(of: element), conflictMode: conflictMode, fields: fields,
        credentials: credentials,
        writtenExtensions: writtenExtensions(of: element, in: scope.text),
        place: scope.text.place(at: start(of: element)))
}

private func checkField(
    _ element: Element, in scope: Scope, reportingTo findings: inout Findings
) -> Field? {
    let credentials = checkCredentials(of: element, in: scope, reportingTo: &findings) {
        FieldCredential(
            create: checkLevel("createAllowed", of: $0, reportingTo: &$1),
            read: checkLevel("readAllowed", of: $0, reportingTo: &$1),
            update: checkLevel("updateAllowed", of: $0, reportingTo: &$1),
            place: scope.text.place(at: start(of: $0)))
    }
    let isRequired = checkBoolean(element["required"], reportingTo: &findings)
    guard let typeName = checkTypeName(of: element, reportingTo: &findings) else { return nil }
    let options = checkOptions(of: element, for: typeName, in: scope, reportingTo: &findings)
    let type = checkType(
        typeName, of: element, options: options, models: scope.models, reportingTo: &findings)
    let defaultValue = checkDefault(
        element["defaultValue"], of: type, named: typeName, options: options,
        reportingTo: &findings)
    let isUnique = checkUnique(
        options, default: element["defaultValue"], reportingTo: &findings)
    guard let name = element["name"], let type else { return nil }
    return Field(
        name: name.value, description: description(of: element),
        renamedFrom: earlierNames(of: element), type: type, isRequired: isRequired,
        isUnique: isUnique, defaultValue: defaultValue, credentials: credentials,
        writtenOptions: options.ofOriginals.map(\.written),
        writtenDefault: element["defaultValue"]?.value,
        writtenExtensions: writtenExtensions(of: element, in: scope.text),
        place: scope.text.place(at: start(of: element)))
}

/// The element begins with `<`, right before its name.
func start(of element: Element) -> Int { element.nameRange.lowerBound - 1 }

private func checkTypeName(
    of element: Element, reportingTo findings: inout Findings
) -> FieldTypeName? {
    guard let attribute = element["type"] else { return nil }
    if let name = FieldTypeName(rawValue: attribute.value) { return name }
    findings.report(
        .unknownValue(
            attribute.value, of: attribute.name, known: FieldTypeName.allCases.map(\.rawValue),
            at: attribute.valueRange))
    return nil
}

/// Nil when the default is absent or wrong, or the type is not known.
private func checkDefault(
    _ attribute: Attribute?, of type: FieldType?, named typeName: FieldTypeName,
    options: Options, reportingTo findings: inout Findings
) -> FieldValue? {
    guard let attribute else { return nil }
    switch typeName {
    case .text, .integer, .decimal, .boolean, .date: break
    case .belongsTo, .file:
        findings.report(.defaultNotAllowed(for: typeName, at: attribute.nameRange))
        return nil
    }
    guard let value = FieldValue(text: attribute.value, of: typeName) else {
        findings.report(
            .defaultNotOfType(attribute.value, typeName, at: attribute.valueRange))
        return nil
    }
    for violation in type?.violations(of: value) ?? [] {
        let option = violation.option.flatMap { options[$0]?.valueRange }
        findings.report(
            .defaultBreaksLimit(
                attribute.value, violation, at: attribute.valueRange, limit: option))
    }
    return value
}
