import DefinitionModel

extension Field {
    /// Whether some role may read a record of the model and yet not this field of it.
    ///
    /// Only `ALL` and the model's own level reach every record that the model's level reaches: a
    /// record of mine need not be of my group, nor one of my group mine.
    func isHiddenFromSome(readingOf model: Model) -> Bool {
        model.credentials.contains { role, credential in
            let level = credentials[role]?.read ?? AccessLevel.none
            return credential.read != .none && level != .all && level != credential.read
        }
    }
}
