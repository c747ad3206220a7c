import DefinitionModel

/// What an element of the language may hold.
final class Shape: Sendable {
    let name: String
    let required: [String]
    let attributes: [String]
    /// Of our own namespace.
    let ownAttributes: [String]
    /// There may be one each of sections, and any number of other elements.
    let children: [Shape]
    let isSection: Bool
    let holdsText: Bool

    init(
        name: String, required: [String] = [], optional: [String] = [], own: [String] = [],
        children: [Shape] = [], isSection: Bool = false, holdsText: Bool = false
    ) {
        self.name = name
        self.required = required
        attributes = required + optional
        ownAttributes = own
        self.children = children
        self.isSection = isSection
        self.holdsText = holdsText
    }

    static func section(_ name: String, of item: Shape) -> Shape {
        Shape(name: name, children: [item], isSection: true)
    }
}

/// The language, one element a paragraph. Sections and attributes come in any order.
extension Shape {
    static let application = Shape(
        name: "application",
        required: ["application", "vendor"], optional: ["conflictMode"],
        own: ["description", "conflictMode"],
        children: [
            .section("devices", of: Shape(name: "device", required: ["name"])),
            .section("groups", of: Shape(name: "group", required: ["name"])),
            .section("roles", of: Shape(name: "role", required: ["group", "device"])),
            .section("models", of: model),
        ])

    private static let model = Shape(
        name: "model",
        required: ["name"], own: ["description", "conflictMode", "renamedFrom"],
        children: [
            .section("fields", of: field),
            .section("credentials", of: modelCredential),
        ])

    private static let field = Shape(
        name: "field",
        required: ["name", "type"], optional: ["required", "defaultValue"],
        own: ["description", "renamedFrom"] + FieldTypeName.allOwnLimits,
        children: [
            .section("credentials", of: fieldCredential),
            .section("options", of: Shape(name: "option", required: ["name"], holdsText: true)),
        ])

    /// A right that is left out is `NONE`, as all are for a role that is left out.
    private static let modelCredential = Shape(
        name: "credential",
        required: ["role"],
        optional: [
            "createAllowed", "readAllowed", "updateAllowed", "deleteAllowed",
            "resolveConflictAllowed",
        ])

    private static let fieldCredential = Shape(
        name: "credential",
        required: ["role"], optional: ["createAllowed", "readAllowed", "updateAllowed"])
}
