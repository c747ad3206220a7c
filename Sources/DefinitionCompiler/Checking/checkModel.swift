import DefinitionModel

/// Nil if a required part is missing. The model's name has been checked with those of the other
/// models.
func checkModel(
    _ element: Element, in context: CheckContext, reportingTo collector: inout DiagnosticCollector
) -> Model? {
    let fieldElements = element.items("field", in: "fields")
    let names = checkNames(of: fieldElements, as: .field, reportingTo: &collector)
    checkRenames(of: fieldElements, as: .field, among: names, reportingTo: &collector)
    checkAliases(of: fieldElements, as: .field, reportingTo: &collector)
    let fields = fieldElements.compactMap { checkField($0, in: context, reportingTo: &collector) }
    let credentials = checkCredentials(of: element, in: context, reportingTo: &collector) {
        ModelCredential(
            create: checkLevel("createAllowed", of: $0, reportingTo: &$1),
            read: checkLevel("readAllowed", of: $0, reportingTo: &$1),
            update: checkLevel("updateAllowed", of: $0, reportingTo: &$1),
            delete: checkLevel("deleteAllowed", of: $0, reportingTo: &$1),
            resolvesConflicts: checkBoolean($0["resolveConflictAllowed"], reportingTo: &$1),
            place: context.text.place(at: start(of: $0)))
    }
    let conflictMode = checkEnumerated(
        element[own: "conflictMode"], absent: context.conflictMode, reportingTo: &collector)
    guard let name = element["name"] else { return nil }
    if fieldElements.isEmpty {
        collector.report(.emptyModel(name.value, at: name.valueRange))
    }
    return Model(
        name: name.value, description: description(of: element),
        renamedFrom: earlierNames(of: element), conflictMode: conflictMode, fields: fields,
        credentials: credentials,
        writtenExtensions: writtenExtensions(of: element, in: context.text),
        place: context.text.place(at: start(of: element)))
}

private func checkField(
    _ element: Element, in context: CheckContext, reportingTo collector: inout DiagnosticCollector
) -> Field? {
    let credentials = checkCredentials(of: element, in: context, reportingTo: &collector) {
        FieldCredential(
            create: checkLevel("createAllowed", of: $0, reportingTo: &$1),
            read: checkLevel("readAllowed", of: $0, reportingTo: &$1),
            update: checkLevel("updateAllowed", of: $0, reportingTo: &$1),
            place: context.text.place(at: start(of: $0)))
    }
    let isRequired = checkBoolean(element["required"], reportingTo: &collector)
    guard let typeName = checkTypeName(of: element, reportingTo: &collector) else { return nil }
    let options = checkOptions(of: element, for: typeName, in: context, reportingTo: &collector)
    let type = checkType(
        typeName, of: element, options: options, models: context.models, reportingTo: &collector)
    let defaultValue = checkDefault(
        element["defaultValue"], of: type, named: typeName, options: options,
        reportingTo: &collector)
    let isUnique = checkUnique(
        options, default: element["defaultValue"], reportingTo: &collector)
    guard let name = element["name"], let type else { return nil }
    return Field(
        name: name.value, description: description(of: element),
        renamedFrom: earlierNames(of: element), type: type, isRequired: isRequired,
        isUnique: isUnique, defaultValue: defaultValue, credentials: credentials,
        writtenOptions: options.ofOriginals.map(\.written),
        writtenDefault: element["defaultValue"]?.value,
        writtenExtensions: writtenExtensions(of: element, in: context.text),
        place: context.text.place(at: start(of: element)))
}

/// The offset of the element's `<`, right before its name.
func start(of element: Element) -> Int { element.nameRange.lowerBound - 1 }

private func checkTypeName(
    of element: Element, reportingTo collector: inout DiagnosticCollector
) -> FieldTypeName? {
    guard let attribute = element["type"] else { return nil }
    if let name = FieldTypeName(rawValue: attribute.value) { return name }
    collector.report(
        .unknownValue(
            attribute.value, of: attribute.name, known: FieldTypeName.allCases.map(\.rawValue),
            meant: FieldTypeName(nameElsewhere: attribute.value)?.rawValue,
            at: attribute.valueRange))
    return nil
}

/// Nil if the default is absent or invalid. Limits that no value keeps have been reported, and are
/// not reported again for the default.
private func checkDefault(
    _ attribute: Attribute?, of type: FieldType?, named typeName: FieldTypeName,
    options: Options, reportingTo collector: inout DiagnosticCollector
) -> FieldValue? {
    guard let attribute else { return nil }
    switch typeName {
    case .text, .integer, .decimal, .boolean, .date: break
    case .belongsTo, .file:
        collector.report(.defaultNotAllowed(for: typeName, at: attribute.nameRange))
        return nil
    }
    guard let value = FieldValue(text: attribute.value, of: typeName) else {
        collector.report(
            .defaultNotOfType(attribute.value, typeName, at: attribute.valueRange))
        return nil
    }
    guard let type, !type.isEmpty else { return value }
    for violation in type.violations(of: value) {
        let option = violation.option.flatMap { options[$0]?.valueRange }
        collector.report(
            .defaultBreaksLimit(
                attribute.value, violation, at: attribute.valueRange, limit: option))
    }
    return type.canonical(value)
}
