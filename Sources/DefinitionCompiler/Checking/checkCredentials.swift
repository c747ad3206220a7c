import DefinitionModel

/// Reads the credentials of a model or a field by role. A credential for an unknown role, or a
/// second one for a role, is reported and dropped. Inlined because it runs for every field;
/// specialising it halves the time.
@inline(__always)
func checkCredentials<Credential>(
    of element: Element, in context: CheckContext, reportingTo collector: inout DiagnosticCollector,
    read: (Element, inout DiagnosticCollector) -> Credential
) -> RoleTable<Credential> {
    var credentials = RoleTable<Credential>()
    let elements = element.items("credential", in: "credentials")
    for element in elements {
        let credential = read(element, &collector)
        guard let attribute = element["role"] else { continue }
        guard let role = context.roles[attribute.value] else {
            collector.report(
                .unknownRole(
                    attribute.value, known: context.roles.names, at: attribute.valueRange))
            continue
        }
        if !credentials.insert(credential, for: role) {
            collector.report(
                .duplicateCredential(
                    attribute.value, at: attribute.valueRange,
                    first: firstPlace(ofRole: attribute.value, in: elements)))
        }
    }
    return credentials
}

private func firstPlace(ofRole name: String, in credentials: [Element]) -> Range<Int>? {
    credentials.lazy.compactMap { $0["role"] }.first { $0.value == name }?.valueRange
}

/// An omitted right is `none`.
func checkLevel(
    _ name: String, of element: Element, reportingTo collector: inout DiagnosticCollector
) -> AccessLevel {
    checkEnumerated(element[name], absent: .none, reportingTo: &collector)
}

/// The value of the attribute, or `absent` if it is missing. An invalid value is reported and
/// treated as missing.
@inline(__always)
func checkEnumerated<Value: RawRepresentable<String> & CaseIterable>(
    _ attribute: Attribute?, absent: Value, reportingTo collector: inout DiagnosticCollector
) -> Value {
    guard let attribute else { return absent }
    if let value = Value(rawValue: attribute.value) { return value }
    collector.report(
        .unknownValue(
            attribute.value, of: attribute.name, known: Value.allCases.map(\.rawValue),
            at: attribute.valueRange))
    return absent
}

/// False if the attribute is absent.
func checkBoolean(_ attribute: Attribute?, reportingTo collector: inout DiagnosticCollector) -> Bool
{
    checkEnumerated(attribute, absent: Flag.no, reportingTo: &collector) == .yes
}

private enum Flag: String, CaseIterable {
    case yes = "true"
    case no = "false"
}
