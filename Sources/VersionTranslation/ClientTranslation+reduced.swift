package import DefinitionModel

extension ClientTranslation {
    /// The served definition without the models and fields that the client does not know. Its
    /// fingerprint names both versions: see `fingerprint(of:for:)`.
    package var reduced: Definition { reduced { _, _ in true } }

    /// The same without the fields that the client does not find again once it is updated to the
    /// version of `update`, and without those in which it may hold placeholders that the new
    /// version reads as values. It knows no other names than those of the two versions.
    package func reduced(heldAfterUpdateTo update: ClientTranslation) -> Definition {
        let (former, present) = (client.asWritten, update.client.asWritten)
        let own = ClientTranslation(of: former, along: VersionPath(from: former, to: present))
        return reduced { model, field in
            guard let present = update.model(servedAs: model.served.name),
                let known = present.field(servedAs: field.served.name)
            else { return true }
            let found = own.model(calledByClient: model.client.name)
            return found?.served.name == present.client.name
                && found?.field(calledByClient: field.client.name)?.served.name
                    == known.client.name
                && field.client.type.name == known.client.type.name
                && (known.client.isRequired || !field.client.isRequired)
        }
    }

    private func reduced(
        to isKept: (ModelTranslation, FieldTranslation) -> Bool
    ) -> Definition {
        Definition(
            application: served.application, vendor: served.vendor,
            description: served.description, conflictMode: served.conflictMode,
            deviceCategories: served.deviceCategories, groups: served.groups, roles: served.roles,
            models: served.models.compactMap { model in
                self.model(servedAs: model.name).map { words in
                    model.with { words.field(servedAs: $0).map { isKept(words, $0) } ?? false }
                }
            },
            writtenExtensions: served.writtenExtensions, digest: served.digest,
            fingerprint: Self.fingerprint(of: served.fingerprint, for: client.fingerprint))
    }
}

extension Model {
    fileprivate func with(_ isKept: (_ field: String) -> Bool) -> Model {
        Model(
            name: name, description: description, renamedFrom: renamedFrom,
            conflictMode: conflictMode, fields: fields.filter { isKept($0.name) },
            credentials: credentials, writtenExtensions: writtenExtensions, place: place)
    }
}
