import DefinitionModel

/// What the Swift templates may see of a definition.
///
/// The templates look values up by the names of these properties, from the inside out, so a name
/// must not stand for two things on different levels.
struct SwiftViews {
    let models: [SwiftModelView]
    let support: SwiftSupportView

    init(_ definition: Definition, prefix: Prefix) {
        let support = SwiftSupportNames(prefix: prefix)
        let naming = NamingRules.swift(prefix: prefix)
        let types = CodeNames(of: definition.models.map(\.name), by: naming.models)
        self.models = definition.models.map { model in
            SwiftModelView(model, of: definition, naming: naming, types: types, support: support)
        }
        self.support = SwiftSupportView(
            application: definition.application, vendor: definition.vendor,
            digest: definition.digest, support: support)
    }
}

/// For `support.swift.mustache`.
struct SwiftSupportView {
    let application: String
    let vendor: String
    let digest: String
    let support: SwiftSupportNames
}

/// The types that all models share. None is called like one of Swift's, even without a prefix.
struct SwiftSupportNames {
    let record: String
    let recordKey: String
    let decimal: String
    let instant: String
    let file: String

    init(prefix: Prefix) {
        record = "\(prefix.text)Record"
        recordKey = "\(prefix.text)RecordKey"
        decimal = "\(prefix.text)ExactDecimal"
        instant = "\(prefix.text)Instant"
        file = "\(prefix.text)FileReference"
    }

    var all: [String] { [record, recordKey, decimal, instant, file] }
}

/// For `model.swift.mustache`.
struct SwiftModelView {
    let application: String
    let vendor: String
    let digest: String
    let support: SwiftSupportNames
    /// As the definition has it.
    let modelName: String
    /// As Swift has it.
    let typeName: String
    let modelDescription: [CommentLine]
    let fields: [SwiftFieldView]
    let hasFields: Bool
    /// What the enum of keys conforms to: one without cases cannot have a raw type.
    let keyProtocols: String
    /// What the container of fields is bound to when a record is written.
    let fieldsBinding: String

    init(
        _ model: Model, of definition: Definition, naming: NamingRules, types: CodeNames,
        support: SwiftSupportNames
    ) {
        let properties = CodeNames(of: model.fields.map(\.name), by: naming.fields)
        application = definition.application
        vendor = definition.vendor
        digest = definition.digest
        self.support = support
        modelName = model.name
        typeName = types.name(of: model.name)
        modelDescription = commentLines(of: model.description)
        fields = model.fields.map { field in
            SwiftFieldView(
                field, of: model, name: properties.written(field.name), types: types,
                support: support)
        }
        hasFields = !model.fields.isEmpty
        keyProtocols = hasFields ? "String, CodingKey, CaseIterable" : "CodingKey, CaseIterable"
        fieldsBinding = hasFields ? "var fields =" : "_ ="
    }
}
