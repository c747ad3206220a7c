import DefinitionModel
import VersionTranslation

/// False translations of the same two versions.
extension ClientTranslation {
    /// Also of the fields that the client does not have, under their own names.
    var knowingEverything: ClientTranslation {
        let client = client.changingModels { model in
            let present = served.models.first { $0.renamedFrom.contains(model.name) }
            let unknown = present?.fields.filter(\.renamedFrom.isEmpty) ?? []
            return model.changed(fields: model.fields + unknown)
        }
        return ClientTranslation(of: client, along: VersionPath(from: client, to: served))
    }

    /// With two text fields of a model exchanged.
    var exchangingTexts: ClientTranslation {
        let served = served.changingModels { model in
            let texts = model.fields.filter { $0.type.name == .text && !$0.renamedFrom.isEmpty }
            guard texts.count > 1 else { return model }
            let earlier = [
                texts[0].name: texts[1].renamedFrom, texts[1].name: texts[0].renamedFrom,
            ]
            return model.changingFields { field in
                earlier[field.name].map(field.renamed) ?? field
            }
        }
        return ClientTranslation(of: client, along: VersionPath(from: client, to: served))
    }
}

extension Field {
    func renamed(from earlier: [String]) -> Field {
        Field(
            name: name, description: description, renamedFrom: earlier, type: type,
            isRequired: isRequired, isUnique: isUnique, defaultValue: defaultValue,
            credentials: credentials, writtenOptions: writtenOptions,
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions, place: place)
    }
}
