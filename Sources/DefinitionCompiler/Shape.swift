/// What an element of the language may hold.
struct Shape: Sendable {
    let name: String
    var required: [String] = []
    var optional: [String] = []
    /// Elements of which there may be one each.
    var sections: [Shape] = []
    /// Elements of which there may be any number.
    var items: [Shape] = []
    var holdsText = false

    var attributes: [String] { required + optional }
    var children: [Shape] { sections + items }

    static func section(_ name: String, of item: Shape) -> Shape {
        Shape(name: name, items: [item])
    }
}

/// The language, one element a paragraph. Sections and attributes come in any order.
extension Shape {
    static let application = Shape(
        name: "application",
        required: ["application", "vendor"], optional: ["conflictMode"],
        sections: [
            .section("devices", of: Shape(name: "device", required: ["name"])),
            .section("groups", of: Shape(name: "group", required: ["name"])),
            .section("roles", of: Shape(name: "role", required: ["group", "device"])),
            .section("models", of: model),
        ])

    private static let model = Shape(
        name: "model",
        required: ["name"],
        sections: [
            .section("fields", of: field),
            .section("credentials", of: modelCredential),
        ])

    private static let field = Shape(
        name: "field",
        required: ["name", "type"], optional: ["required", "defaultValue"],
        sections: [
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
