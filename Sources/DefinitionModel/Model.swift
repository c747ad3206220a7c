/// A kind of record.
package struct Model: Hashable, Sendable {
    package let name: String
    package let fields: [Field]
    package let credentials: [Role: ModelCredential]
    /// Where the `model` element stands.
    package let place: SourcePlace

    package init(
        name: String, fields: [Field], credentials: [Role: ModelCredential], place: SourcePlace
    ) {
        self.name = name
        self.fields = fields
        self.credentials = credentials
        self.place = place
    }
}

/// One field of a model: its type with its limits, and who may do what with it.
package struct Field: Hashable, Sendable {
    package let name: String
    package let type: FieldType
    /// A required field is never null once the record is stored.
    package let isRequired: Bool
    /// What a new record gets where nothing is given.
    package let defaultValue: FieldValue?
    package let credentials: [Role: FieldCredential]
    /// The options as the document writes them; the digest is computed from these.
    package let writtenOptions: [WrittenOption]
    /// The default as the document writes it; the digest is computed from it.
    package let writtenDefault: String?
    /// Where the `field` element stands.
    package let place: SourcePlace

    package init(
        name: String, type: FieldType, isRequired: Bool, defaultValue: FieldValue?,
        credentials: [Role: FieldCredential], writtenOptions: [WrittenOption],
        writtenDefault: String?, place: SourcePlace
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.credentials = credentials
        self.writtenOptions = writtenOptions
        self.writtenDefault = writtenDefault
        self.place = place
    }

    /// Where the option stands that sets a limit, or the field when the type's default holds.
    package func place(ofOption name: String) -> SourcePlace {
        writtenOptions.first { $0.name == name }?.place ?? place
    }
}

/// An `option` element as the document has it.
package struct WrittenOption: Hashable, Sendable {
    package let name: String
    package let value: String
    package let place: SourcePlace

    package init(name: String, value: String, place: SourcePlace) {
        self.name = name
        self.value = value
        self.place = place
    }
}
