/// A kind of record.
package struct Model: Hashable, Sendable {
    package let name: String
    /// What people wrote about the model, as plain text.
    package let description: String?
    /// Names that the model had in earlier definitions, none of which is a model's now.
    package let renamedFrom: [String]
    /// Its own, or else the application's.
    package let conflictMode: ConflictMode
    package let fields: [Field]
    package let credentials: RoleTable<ModelCredential>
    /// Our own attributes of the model as the document writes them.
    package let writtenExtensions: [WrittenOption]
    /// Where the `model` element stands.
    package let place: SourcePlace

    package init(
        name: String, description: String? = nil, renamedFrom: [String] = [],
        conflictMode: ConflictMode = .manual, fields: [Field],
        credentials: RoleTable<ModelCredential>, writtenExtensions: [WrittenOption] = [],
        place: SourcePlace
    ) {
        self.name = name
        self.description = description
        self.renamedFrom = renamedFrom
        self.conflictMode = conflictMode
        self.fields = fields
        self.credentials = credentials
        self.writtenExtensions = writtenExtensions
        self.place = place
    }
}

/// One field of a model: its type with its limits, and who may do what with it.
package struct Field: Hashable, Sendable {
    package let name: String
    /// What people wrote about the field, as plain text.
    package let description: String?
    /// Names that the field had in earlier definitions, none of which is one of the model's now.
    package let renamedFrom: [String]
    package let type: FieldType
    /// A required field is never null once the record is stored.
    package let isRequired: Bool
    /// No two records of the model that are not deleted have the same value, whoever may see them.
    /// Null is no value.
    package let isUnique: Bool
    /// What a new record gets where nothing is given.
    package let defaultValue: FieldValue?
    package let credentials: RoleTable<FieldCredential>
    /// The options as the document writes them; the digest is computed from these.
    package let writtenOptions: [WrittenOption]
    /// The default as the document writes it; the digest is computed from it.
    package let writtenDefault: String?
    /// Our own attributes of the field as the document writes them; the fingerprint is computed
    /// from these.
    package let writtenExtensions: [WrittenOption]
    /// Where the `field` element stands.
    package let place: SourcePlace

    package init(
        name: String, description: String? = nil, renamedFrom: [String] = [], type: FieldType,
        isRequired: Bool, isUnique: Bool = false, defaultValue: FieldValue?,
        credentials: RoleTable<FieldCredential>, writtenOptions: [WrittenOption],
        writtenDefault: String?, writtenExtensions: [WrittenOption] = [], place: SourcePlace
    ) {
        self.name = name
        self.description = description
        self.renamedFrom = renamedFrom
        self.type = type
        self.isRequired = isRequired
        self.isUnique = isUnique
        self.defaultValue = defaultValue
        self.credentials = credentials
        self.writtenOptions = writtenOptions
        self.writtenDefault = writtenDefault
        self.writtenExtensions = writtenExtensions
        self.place = place
    }

    /// Where the option or the attribute of ours stands that sets a limit, or the field when the
    /// type's default holds.
    package func place(ofOption name: String) -> SourcePlace {
        (writtenOptions + writtenExtensions).first { $0.name == name }?.place ?? place
    }
}

/// An `option` element, or an attribute of ours, as the document has it.
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
