import DefinitionModel

/// Checks what the application says, once its shape is known; nil when a part is missing that
/// nothing can stand in for, which then has been reported.
func check(
    _ application: Element, in text: SourceText, reportingTo findings: inout Findings
) -> Contents? {
    let name = checkName(application["application"], of: .application, reportingTo: &findings)
    let vendor = checkName(application["vendor"], of: .vendor, reportingTo: &findings)
    let conflictMode = checkEnumerated(
        application["conflictMode"], absent: OriginalConflictMode.manual, reportingTo: &findings
    ).mode
    let devices = checkNames(
        of: application.items("device", in: "devices"), as: .deviceCategory,
        reportingTo: &findings)
    let groups = checkNames(
        of: application.items("group", in: "groups"), as: .group, reportingTo: &findings)
    let roles = checkRoles(
        of: application, devices: devices, groups: groups, reportingTo: &findings)
    let modelElements = application.items("model", in: "models")
    let models = checkNames(of: modelElements, as: .model, reportingTo: &findings)
    checkRenames(of: modelElements, as: .model, among: models, reportingTo: &findings)
    let scope = Scope(
        text: text, roles: roles, models: models,
        conflictMode: checkEnumerated(
            application[own: "conflictMode"], absent: conflictMode, reportingTo: &findings))
    let checkedModels = modelElements.compactMap {
        checkModel($0, in: scope, reportingTo: &findings)
    }
    if modelElements.isEmpty { findings.report(.noModels(at: application.nameRange)) }
    guard let name, let vendor else { return nil }
    return Contents(
        application: name, vendor: vendor,
        description: description(of: application), conflictMode: conflictMode,
        deviceCategories: devices.inOrder, groups: groups.inOrder, roles: roles.inOrder,
        models: checkedModels, writtenExtensions: writtenExtensions(of: application, in: text))
}

/// The modes that the original clients know.
private enum OriginalConflictMode: String, CaseIterable {
    case manual = "MANUAL"
    case overwrite = "OVERWRITE"
    case discard = "DISCARD"

    var mode: ConflictMode {
        switch self {
        case .manual: .manual
        case .overwrite: .overwrite
        case .discard: .discard
        }
    }
}

/// What models and fields may refer to.
struct Scope {
    let text: SourceText
    let roles: Roles
    let models: Names
    /// Of models that do not say one themselves.
    let conflictMode: ConflictMode
}

/// The roles of a document. One that is wrong itself can still be referred to, so that its mistake
/// is reported once.
struct Roles {
    private(set) var inOrder: [Role] = []
    private(set) var names: [String] = []
    private var byName: [String: Role] = [:]
    private var firstPlaces: [String: Range<Int>] = [:]

    /// Few enough to look through, as a rule.
    subscript(name: String) -> Role? {
        guard names.count <= 16 else { return byName[name] }
        return names.firstIndex(of: name).map { inOrder[$0] }
    }

    /// Where the role was declared before, if it was.
    mutating func declare(_ role: Role, at range: Range<Int>) -> Range<Int>? {
        let name = role.name
        if let first = firstPlaces[name] { return first }
        firstPlaces[name] = range
        byName[name] = role
        names.append(name)
        inOrder.append(role)
        return nil
    }
}

private func checkRoles(
    of application: Element, devices: Names, groups: Names, reportingTo findings: inout Findings
) -> Roles {
    var roles = Roles()
    let elements = application.items("role", in: "roles")
    for element in elements {
        let group = element["group"]
        let device = element["device"]
        if let group, !groups.contains(group.value) {
            findings.report(
                .unknownGroup(group.value, known: groups.inOrder, at: group.valueRange))
        }
        if let device, !devices.contains(device.value) {
            findings.report(
                .unknownDevice(device.value, known: devices.inOrder, at: device.valueRange))
        }
        guard let group, let device else { continue }
        let role = Role(group: group.value, deviceCategory: device.value)
        if let first = roles.declare(role, at: element.nameRange) {
            findings.report(.duplicateRole(role.name, at: element.nameRange, first: first))
        }
    }
    if elements.isEmpty { findings.report(.noRoles(at: application.nameRange)) }
    return roles
}
