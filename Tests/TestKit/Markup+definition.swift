package import DefinitionModel

extension Markup {
    /// The document of a definition. Everything is written, including what could be omitted; the
    /// prefix of Waggle's namespace is `w`.
    package init(_ definition: Definition) {
        self.init(
            "application",
            [
                Attribute("xmlns:w", "urn:waggle:definition"),
                Attribute("application", definition.application),
                Attribute("vendor", definition.vendor),
                Attribute("conflictMode", definition.conflictMode.rawValue),
            ] + own(definition.writtenExtensions),
            children: [
                Markup("devices", children: names("device", definition.deviceCategories)),
                Markup("groups", children: names("group", definition.groups)),
                Markup("roles", children: definition.roles.map(role)),
                Markup("models", children: definition.models.map(model)),
            ])
    }
}

private func own(_ attributes: [WrittenOption]) -> [Markup.Attribute] {
    attributes.map { Markup.Attribute("w:\($0.name)", $0.value) }
}

private func names(_ element: String, _ names: [String]) -> [Markup] {
    names.map { Markup(element, [Markup.Attribute("name", $0)]) }
}

private func role(_ role: Role) -> Markup {
    Markup(
        "role",
        [Markup.Attribute("group", role.group), Markup.Attribute("device", role.deviceCategory)])
}

private func model(_ model: Model) -> Markup {
    let credentials = model.credentials.map { role, credential in
        rights(
            of: role, create: credential.create, read: credential.read, update: credential.update,
            others: [
                Markup.Attribute("deleteAllowed", credential.delete.rawValue),
                Markup.Attribute("resolveConflictAllowed", "\(credential.resolvesConflicts)"),
            ])
    }
    return Markup(
        "model", [Markup.Attribute("name", model.name)] + own(model.writtenExtensions),
        children: [
            Markup("fields", children: model.fields.map(field)),
            Markup("credentials", children: credentials),
        ])
}

private func field(_ field: Field) -> Markup {
    let credentials = field.credentials.map { role, credential in
        rights(
            of: role, create: credential.create, read: credential.read, update: credential.update)
    }
    let options = field.writtenOptions.map {
        Markup("option", [Markup.Attribute("name", $0.name)], text: $0.value)
    }
    return Markup(
        "field",
        [
            Markup.Attribute("name", field.name),
            Markup.Attribute("type", field.type.name.rawValue),
            Markup.Attribute("required", "\(field.isRequired)"),
        ] + (field.writtenDefault.map { [Markup.Attribute("defaultValue", $0)] } ?? [])
            + own(field.writtenExtensions),
        children: [
            Markup("credentials", children: credentials), Markup("options", children: options),
        ])
}

private func rights(
    of role: Role, create: AccessLevel, read: AccessLevel, update: AccessLevel,
    others: [Markup.Attribute] = []
) -> Markup {
    Markup(
        "credential",
        [
            Markup.Attribute("role", role.name),
            Markup.Attribute("createAllowed", create.rawValue),
            Markup.Attribute("readAllowed", read.rawValue),
            Markup.Attribute("updateAllowed", update.rawValue),
        ] + others)
}
