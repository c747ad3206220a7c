import DefinitionModel

extension Field {
    /// Whether some role may read a record of the model but not this field of it.
    ///
    /// Only `ALL` and the model's own level reach every record that the model's level reaches: an
    /// own record may belong to another group, and a record of the group may have another owner.
    func isHiddenFromSome(readingOf model: Model) -> Bool {
        model.credentials.contains { role, credential in
            let level = credentials[role]?.read ?? AccessLevel.none
            return credential.read != .none && level != .all && level != credential.read
        }
    }
}
