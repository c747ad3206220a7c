import ChangeRules
import DefinitionModel
import JSON

/// A field that a deployment requires, with the value that it brings to the records without one.
struct RequiredField: Sendable {
    let model: String
    let field: String
    let definition: Definition

    /// Nil if the definition has no field that could be required: a text that may be empty, may
    /// repeat and has no default.
    init?(in definition: Definition) {
        for model in definition.models {
            guard let field = model.fields.first(where: \.mayBeRequired) else { continue }
            self.model = model.name
            self.field = field.name
            self.definition = definition.requiring(field.name, of: model.name)
            return
        }
        return nil
    }

    var rule: FillRule { FillRule(model: model, field: field, source: .constant("filled in")) }
}

extension Definition {
    fileprivate func requiring(_ field: String, of model: String) -> Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models.map { $0.name == model ? $0.requiring(field) : $0 },
            writtenExtensions: writtenExtensions, digest: "\(digest)-required",
            fingerprint: "\(fingerprint)-required")
    }
}

extension Model {
    fileprivate func requiring(_ name: String) -> Model {
        Model(
            name: self.name, description: description, renamedFrom: renamedFrom,
            conflictMode: conflictMode,
            fields: fields.map { $0.name == name ? $0.required : $0 }, credentials: credentials,
            writtenExtensions: writtenExtensions, place: place)
    }
}

extension Field {
    fileprivate var mayBeRequired: Bool {
        type.name == .text && !isRequired && !isUnique && defaultValue == nil
    }

    fileprivate var required: Field {
        Field(
            name: name, description: description, renamedFrom: renamedFrom, type: type,
            isRequired: true, isUnique: isUnique, defaultValue: defaultValue,
            credentials: credentials, writtenOptions: writtenOptions,
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions, place: place)
    }
}
