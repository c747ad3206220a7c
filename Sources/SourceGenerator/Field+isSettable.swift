import DefinitionModel

extension Field {
    /// Whether some role has a right both to records of the model and to this field of them.
    func isSettable(
        in model: Model, by right: (ModelCredential) -> AccessLevel,
        _ fieldRight: (FieldCredential) -> AccessLevel
    ) -> Bool {
        model.credentials.contains { role, credential in
            right(credential) != .none
                && (credentials[role].map(fieldRight) ?? AccessLevel.none) != .none
        }
    }
}
