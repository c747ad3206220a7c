/// A kind of record.
package struct Model: Hashable, Sendable {
    package let name: String
    /// The `description` of the model, as plain text.
    package let description: String?
    /// Names of the model in earlier definitions. None of them is the name of a model now.
    package let renamedFrom: [String]
    /// Those of them that the document does not have: later names, in the place of which an
    /// environment has the model again.
    package let followedBack: [String]
    /// The model's own mode, or the application's.
    package let conflictMode: ConflictMode
    package let fields: [Field]
    package let credentials: RoleTable<ModelCredential>
    /// Waggle's own attributes of the model, as written in the document.
    package let writtenExtensions: [WrittenOption]
    /// Where the `model` element stands.
    package let place: SourcePlace

    package init(
        name: String, description: String? = nil, renamedFrom: [String] = [],
        followedBack: [String] = [], conflictMode: ConflictMode = .manual, fields: [Field],
        credentials: RoleTable<ModelCredential>, writtenExtensions: [WrittenOption] = [],
        place: SourcePlace
    ) {
        self.followedBack = followedBack
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

/// A field of a model: its type, its limits and its credentials.
package struct Field: Hashable, Sendable {
    package let name: String
    /// The `description` of the field, as plain text.
    package let description: String?
    /// Names of the field in earlier definitions. None of them is the name of a field of the model
    /// now.
    package let renamedFrom: [String]
    /// See `Model.followedBack`.
    package let followedBack: [String]
    package let type: FieldType
    /// A required field is never null once the record is stored.
    package let isRequired: Bool
    /// No two undeleted records of the model have the same non-null value, including records that
    /// the asker cannot see.
    package let isUnique: Bool
    /// The value that a new record gets if none is given.
    package let defaultValue: FieldValue?
    package let credentials: RoleTable<FieldCredential>
    /// The options as written in the document. The digest is computed from them.
    package let writtenOptions: [WrittenOption]
    /// The default as written in the document. The digest is computed from it.
    package let writtenDefault: String?
    /// Waggle's own attributes of the field, as written in the document. The fingerprint is
    /// computed from them.
    package let writtenExtensions: [WrittenOption]
    /// Where the `field` element stands.
    package let place: SourcePlace

    package init(
        name: String, description: String? = nil, renamedFrom: [String] = [],
        followedBack: [String] = [], type: FieldType, isRequired: Bool, isUnique: Bool = false,
        defaultValue: FieldValue?, credentials: RoleTable<FieldCredential>,
        writtenOptions: [WrittenOption], writtenDefault: String?,
        writtenExtensions: [WrittenOption] = [], place: SourcePlace
    ) {
        self.followedBack = followedBack
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

    /// Where the option or attribute that sets a limit stands; the field's place if the type's
    /// default applies.
    package func place(ofOption name: String) -> SourcePlace {
        (writtenOptions + writtenExtensions).first { $0.name == name }?.place ?? place
    }
}

/// An `option` element or one of Waggle's own attributes, as written in the document.
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

extension Model {
    /// The name of the model for the clients of other products, such as Azure Mobile, as the
    /// attribute `alias` sets it; its own name otherwise. Unique in any case.
    package var foreignName: String { writtenExtensions.alias ?? name }
    package var hasAlias: Bool { writtenExtensions.alias != nil }
}

extension Field {
    /// The name of the field for the clients of other products; see `Model.foreignName`.
    package var foreignName: String { writtenExtensions.alias ?? name }
    package var hasAlias: Bool { writtenExtensions.alias != nil }
}

extension [WrittenOption] {
    fileprivate var alias: String? { first { $0.name == "alias" }?.value }
}

// MARK: - Pairs

/// A model of pairs: each record joins a record of one model with one of another, or of the same.
/// Clients of other products, such as Parse, know the joined records as a relation of the first.
package struct Join: Hashable, Sendable {
    /// The name of the relation, as the attribute `joins` sets it.
    package let name: String
    /// The field that names the record with the relation, and its model.
    package let ownerField: String
    package let owner: String
    /// The field that names the joined record, and its model.
    package let targetField: String
    package let target: String
}

extension Model {
    /// The join that the model is; nil for any other model. Its first relation leads to the record
    /// that has the joined ones, its second to these.
    package var join: Join? {
        let relations = fields.compactMap { field -> (String, String)? in
            guard case .belongsTo(let relation) = field.type else { return nil }
            return (field.name, relation.model)
        }
        guard let name = writtenExtensions.first(where: { $0.name == "joins" })?.value,
            relations.count == 2
        else { return nil }
        return Join(
            name: name, ownerField: relations[0].0, owner: relations[0].1,
            targetField: relations[1].0, target: relations[1].1)
    }
}
