import DefinitionModel

/// Checks the contents of an application whose structure is valid. Nil if a required part is
/// missing, which has then been reported.
func check(
    _ application: Element, in text: SourceText, reportingTo collector: inout DiagnosticCollector
) -> DefinitionContents? {
    let name = checkName(application["application"], of: .application, reportingTo: &collector)
    let vendor = checkName(application["vendor"], of: .vendor, reportingTo: &collector)
    let conflictMode = checkEnumerated(
        application["conflictMode"], absent: OriginalConflictMode.manual, reportingTo: &collector
    ).mode
    let devices = checkNames(
        of: application.items("device", in: "devices"), as: .deviceCategory,
        reportingTo: &collector)
    let groups = checkNames(
        of: application.items("group", in: "groups"), as: .group, reportingTo: &collector)
    let roles = checkRoles(
        of: application, devices: devices, groups: groups, reportingTo: &collector)
    let modelElements = application.items("model", in: "models")
    let models = checkNames(of: modelElements, as: .model, reportingTo: &collector)
    checkRenames(of: modelElements, as: .model, among: models, reportingTo: &collector)
    checkAliases(of: modelElements, as: .model, reportingTo: &collector)
    let context = CheckContext(
        text: text, roles: roles, models: models,
        conflictMode: checkEnumerated(
            application[own: "conflictMode"], absent: conflictMode, reportingTo: &collector))
    let checkedModels = modelElements.compactMap {
        checkModel($0, in: context, reportingTo: &collector)
    }
    checkJoins(checkedModels, of: modelElements, reportingTo: &collector)
    if modelElements.isEmpty { collector.report(.noModels(at: application.nameRange)) }
    guard let name, let vendor else { return nil }
    return DefinitionContents(
        application: name, vendor: vendor,
        description: description(of: application), conflictMode: conflictMode,
        deviceCategories: devices.inOrder, groups: groups.inOrder, roles: roles.inOrder,
        models: checkedModels, writtenExtensions: writtenExtensions(of: application, in: text))
}

/// The conflict modes of the original clients.
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

/// The declarations that models and fields may refer to.
struct CheckContext {
    let text: SourceText
    let roles: DeclaredRoles
    let models: DeclaredNames
    /// The default for models without a mode of their own.
    let conflictMode: ConflictMode
}

/// The roles of a document. An invalid role can still be referred to, so that its error is reported
/// once.
struct DeclaredRoles {
    private(set) var inOrder: [Role] = []
    private(set) var names: [String] = []
    private var byName: [String: Role] = [:]
    private var firstPlaces: [String: Range<Int>] = [:]

    /// Roles are few, so a linear search is fast.
    subscript(name: String) -> Role? {
        guard names.count <= 16 else { return byName[name] }
        return names.firstIndex(of: name).map { inOrder[$0] }
    }

    /// Returns the range of an earlier declaration of the role, if any.
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
    of application: Element, devices: DeclaredNames, groups: DeclaredNames,
    reportingTo collector: inout DiagnosticCollector
) -> DeclaredRoles {
    var roles = DeclaredRoles()
    let elements = application.items("role", in: "roles")
    for element in elements {
        let group = element["group"]
        let device = element["device"]
        if let group, !groups.contains(group.value) {
            collector.report(
                .unknownGroup(group.value, known: groups.inOrder, at: group.valueRange))
        }
        if let device, !devices.contains(device.value) {
            collector.report(
                .unknownDevice(device.value, known: devices.inOrder, at: device.valueRange))
        }
        guard let group, let device else { continue }
        let role = Role(group: group.value, deviceCategory: device.value)
        if let first = roles.declare(role, at: element.nameRange) {
            collector.report(.duplicateRole(role.name, at: element.nameRange, first: first))
        }
    }
    if elements.isEmpty { collector.report(.noRoles(at: application.nameRange)) }
    return roles
}
