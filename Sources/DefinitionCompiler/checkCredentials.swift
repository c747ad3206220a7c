import DefinitionModel

/// The credentials of a model or a field by role. One for an unknown role, or a second one for the
/// same, is reported and left out. Inlined where it is called, since it is called for every field:
/// made for one kind of credential it takes half the time.
@inline(__always)
func checkCredentials<Credential>(
    of element: Element, in scope: Scope, reportingTo findings: inout Findings,
    read: (Element, inout Findings) -> Credential
) -> RoleTable<Credential> {
    var credentials = RoleTable<Credential>()
    let elements = element.items("credential", in: "credentials")
    for element in elements {
        let credential = read(element, &findings)
        guard let attribute = element["role"] else { continue }
        guard let role = scope.roles[attribute.value] else {
            findings.report(
                .unknownRole(
                    attribute.value, known: scope.roles.names, at: attribute.valueRange))
            continue
        }
        if !credentials.insert(credential, for: role) {
            findings.report(
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

/// A right that is left out is none.
func checkLevel(
    _ name: String, of element: Element, reportingTo findings: inout Findings
) -> AccessLevel {
    checkEnumerated(element[name], absent: .none, reportingTo: &findings)
}

/// What the attribute says, or the value that stands for its absence; so also when it is none of
/// the values there are, which is then reported.
@inline(__always)
func checkEnumerated<Value: RawRepresentable<String> & CaseIterable>(
    _ attribute: Attribute?, absent: Value, reportingTo findings: inout Findings
) -> Value {
    guard let attribute else { return absent }
    if let value = Value(rawValue: attribute.value) { return value }
    findings.report(
        .unknownValue(
            attribute.value, of: attribute.name, known: Value.allCases.map(\.rawValue),
            at: attribute.valueRange))
    return absent
}

/// False when it is absent.
func checkBoolean(_ attribute: Attribute?, reportingTo findings: inout Findings) -> Bool {
    checkEnumerated(attribute, absent: Flag.no, reportingTo: &findings) == .yes
}

private enum Flag: String, CaseIterable {
    case yes = "true"
    case no = "false"
}
