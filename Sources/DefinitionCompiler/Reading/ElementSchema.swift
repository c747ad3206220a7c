import DefinitionModel

/// The allowed content of an element of the language.
final class ElementSchema: Sendable {
    let name: String
    let required: [String]
    let attributes: [String]
    /// Attributes in Waggle's own namespace.
    let ownAttributes: [String]
    /// A section may occur once, any other element any number of times.
    let children: [ElementSchema]
    let isSection: Bool
    let holdsText: Bool

    init(
        name: String, required: [String] = [], optional: [String] = [], own: [String] = [],
        children: [ElementSchema] = [], isSection: Bool = false, holdsText: Bool = false
    ) {
        self.name = name
        self.required = required
        attributes = required + optional
        ownAttributes = own
        self.children = children
        self.isSection = isSection
        self.holdsText = holdsText
    }

    static func section(_ name: String, of item: ElementSchema) -> ElementSchema {
        ElementSchema(name: name, children: [item], isSection: true)
    }
}

/// The language, one paragraph for each element. Sections and attributes may come in any order.
extension ElementSchema {
    static let application = ElementSchema(
        name: "application",
        required: ["application", "vendor"], optional: ["conflictMode"],
        own: ["description", "conflictMode"],
        children: [
            .section("devices", of: ElementSchema(name: "device", required: ["name"])),
            .section("groups", of: ElementSchema(name: "group", required: ["name"])),
            .section("roles", of: ElementSchema(name: "role", required: ["group", "device"])),
            .section("models", of: model),
        ])

    private static let model = ElementSchema(
        name: "model",
        required: ["name"], own: ["description", "conflictMode", "renamedFrom", "alias", "joins"],
        children: [
            .section("fields", of: field),
            .section("credentials", of: modelCredential),
        ])

    private static let field = ElementSchema(
        name: "field",
        required: ["name", "type"], optional: ["required", "defaultValue"],
        own: ["description", "renamedFrom", "alias"] + FieldTypeName.allOwnLimits,
        children: [
            .section("credentials", of: fieldCredential),
            .section(
                "options", of: ElementSchema(name: "option", required: ["name"], holdsText: true)),
        ])

    /// An omitted right is `NONE`, as are all rights of a role without a credential.
    private static let modelCredential = ElementSchema(
        name: "credential",
        required: ["role"],
        optional: [
            "createAllowed", "readAllowed", "updateAllowed", "deleteAllowed",
            "resolveConflictAllowed",
        ])

    /// Waggle's own attributes of all elements.
    static let allOwnAttributes = Set(
        application.ownAttributes + model.ownAttributes + field.ownAttributes)

    private static let fieldCredential = ElementSchema(
        name: "credential",
        required: ["role"], optional: ["createAllowed", "readAllowed", "updateAllowed"])
}
