import DefinitionCompiler

extension WrittenDocument {
    /// The edits that rename a model, a group or a device category with all references to it.
    func renaming(_ path: ElementPath, to name: String) throws(EditError) -> [DefinitionEdit] {
        guard let element = find(path), let old = element.attribute("name")?.value else {
            throw .missing(path)
        }
        guard old != name else { return [] }
        let renamed = DefinitionEdit.set(path, attribute: "name", value: name)
        switch element.name {
        case "model": return relations(to: old).map { .write($0, text: name) } + [renamed]
        case "group": return renamedRoles("group", from: old, to: name) + [renamed]
        case "device": return renamedRoles("device", from: old, to: name) + [renamed]
        case _: throw .notRenamed(path)
        }
    }

    /// The options of relations to a model.
    private func relations(to model: String) -> [ElementPath] {
        fields.compactMap { path, field in
            let option = path.appending("options").appending("option", .init("name", "model"))
            let found = field.children.first { $0.name == "options" }?.children.first {
                $0.attribute("name")?.value == "model"
            }
            return found?.text == model ? option : nil
        }
    }

    private func renamedRoles(
        _ key: String, from old: String, to name: String
    ) -> [DefinitionEdit] {
        roles.filter { $0.attribute(key)?.value == old }.flatMap { role -> [DefinitionEdit] in
            let keys = ["group", "device"].map { name in
                ElementPath.Key(name, role.attribute(name)?.value ?? "")
            }
            let path = ElementPath([.init("roles"), .init("role", keys)])
            let before = keys.map(\.value).joined(separator: "-")
            let after = keys.map { $0.name == key ? name : $0.value }.joined(separator: "-")
            return credentials(of: before).map { .set($0.path, attribute: "role", value: after) }
                + [.set(path, attribute: key, value: name)]
        }
    }

    func copyingRights(from: String, to: String) -> [DefinitionEdit] {
        credentials(of: from).flatMap { path, credential -> [DefinitionEdit] in
            let copy = ElementPath(
                Array(path.steps.dropLast()) + [.init("credential", [.init("role", to)])])
            return [.add(copy)]
                + credential.attributes.filter { $0.name != "role" }.map {
                    .set(copy, attribute: $0.isOwn ? "w:\($0.name)" : $0.name, value: $0.value)
                }
        }
    }

    func removingRole(_ name: String) -> [DefinitionEdit] {
        let role = roles.first { $0.roleName == name }.map { role in
            ElementPath([
                .init("roles"),
                .init(
                    "role",
                    ["group", "device"].map { .init($0, role.attribute($0)?.value ?? "") }),
            ])
        }
        return credentials(of: name).map { .remove($0.path) } + (role.map { [.remove($0)] } ?? [])
    }

    private var roles: [DocumentElement] {
        find(ElementPath([.init("roles")]))?.children.filter { $0.name == "role" } ?? []
    }

    private var models: [(path: ElementPath, model: DocumentElement)] {
        let models = ElementPath([.init("models")])
        return (find(models)?.children ?? []).filter { $0.name == "model" }.map { model in
            let name = model.attribute("name")?.value ?? ""
            return (models.appending("model", .init("name", name)), model)
        }
    }

    private var fields: [(path: ElementPath, field: DocumentElement)] {
        models.flatMap { path, model in
            model.children.filter { $0.name == "fields" }.flatMap(\.children)
                .filter { $0.name == "field" }.map { field in
                    let name = field.attribute("name")?.value ?? ""
                    return (path.appending("fields").appending("field", .init("name", name)), field)
                }
        }
    }

    private func credentials(of role: String) -> [(path: ElementPath, credential: DocumentElement)]
    {
        (models.map { ($0.path, $0.model) } + fields.map { ($0.path, $0.field) }).flatMap {
            path, owner in
            owner.children.filter { $0.name == "credentials" }.flatMap(\.children)
                .filter { $0.attribute("role")?.value == role }.map { credential in
                    (
                        path.appending("credentials").appending("credential", .init("role", role)),
                        credential
                    )
                }
        }
    }
}

extension DocumentElement {
    fileprivate var roleName: String {
        "\(attribute("group")?.value ?? "")-\(attribute("device")?.value ?? "")"
    }
}
