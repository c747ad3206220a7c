package import DefinitionModel
import Foundation

/// A definition as JSON: the output of `compile`, and the input of a client.
///
/// It contains everything in the definition, with the names of `application.xml`. Limits and
/// defaults are resolved. Numbers that a double may not represent exactly are strings.
package struct CompiledDefinition: Codable, Hashable, Sendable {
    /// Incremented when a reader of the old format would misinterpret the new one.
    package static let currentFormat = 2

    package let format: Int
    package let application: String
    package let vendor: String
    package let description: String?
    package let conflictMode: String
    package let deviceCategories: [String]
    package let groups: [String]
    package let roles: [CompiledRole]
    package let models: [CompiledModel]
    package let writtenExtensions: [CompiledOption]
    package let digest: String
    package let fingerprint: String

    package init(_ definition: Definition) {
        format = Self.currentFormat
        application = definition.application
        vendor = definition.vendor
        description = definition.description
        conflictMode = definition.conflictMode.rawValue
        deviceCategories = definition.deviceCategories
        groups = definition.groups
        roles = definition.roles.map {
            CompiledRole(group: $0.group, deviceCategory: $0.deviceCategory)
        }
        models = definition.models.map(CompiledModel.init)
        writtenExtensions = definition.writtenExtensions.map(CompiledOption.init)
        digest = definition.digest
        fingerprint = definition.fingerprint
    }

    /// Reads JSON in any layout. `definition()` then checks its meaning.
    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }

    /// The canonical form: sorted keys, indentation, credentials ordered by role, a final newline.
    /// Documents that differ only in the order of attributes, or of sections other than models,
    /// fields, credentials and options, give the same bytes.
    package func canonicalJSON() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try Array(encoder.encode(self)) + "\n".utf8
    }
}

/// A role; its name is `GROUP-DEVICECATEGORY`.
package struct CompiledRole: Codable, Hashable, Sendable {
    package let group: String
    package let deviceCategory: String
}

/// A model, with its credentials in the order of their roles.
package struct CompiledModel: Codable, Hashable, Sendable {
    package let name: String
    package let description: String?
    package let renamedFrom: [String]
    package let conflictMode: String
    package let fields: [CompiledField]
    package let credentials: [CompiledModelCredential]
    package let writtenExtensions: [CompiledOption]
    package let place: CompiledPlace

    fileprivate init(_ model: Model) {
        name = model.name
        description = model.description
        renamedFrom = model.renamedFrom
        conflictMode = model.conflictMode.rawValue
        fields = model.fields.map(CompiledField.init)
        credentials = model.credentials.inOrder.map(CompiledModelCredential.init)
        writtenExtensions = model.writtenExtensions.map(CompiledOption.init)
        place = CompiledPlace(model.place)
    }
}

/// A field, with every limit of its type and its default resolved.
package struct CompiledField: Codable, Hashable, Sendable {
    package let name: String
    package let description: String?
    package let renamedFrom: [String]
    package let type: String
    package let limits: CompiledLimits
    package let isRequired: Bool
    package let isUnique: Bool
    /// In the format of the original wire; absent if there is no default.
    package let defaultValue: String?
    package let credentials: [CompiledFieldCredential]
    package let writtenOptions: [CompiledOption]
    package let writtenDefault: String?
    package let writtenExtensions: [CompiledOption]
    package let place: CompiledPlace

    fileprivate init(_ field: Field) {
        name = field.name
        description = field.description
        renamedFrom = field.renamedFrom
        type = field.type.name.rawValue
        limits = CompiledLimits(field.type)
        isRequired = field.isRequired
        isUnique = field.isUnique
        defaultValue = field.defaultValue.flatMap(\.compiledText)
        credentials = field.credentials.inOrder.map(CompiledFieldCredential.init)
        writtenOptions = field.writtenOptions.map(CompiledOption.init)
        writtenDefault = field.writtenDefault
        writtenExtensions = field.writtenExtensions.map(CompiledOption.init)
        place = CompiledPlace(field.place)
    }
}

/// The limits of the field's type. Limits of other types, and limits that are not set, are absent.
package struct CompiledLimits: Codable, Hashable, Sendable {
    /// In UTF-16 code units.
    package private(set) var minLength: Int?
    /// In UTF-16 code units.
    package private(set) var maxLength: Int?
    package private(set) var pattern: String?
    /// `json` or `base64`.
    package private(set) var format: String?
    /// Present with `format`.
    package private(set) var maxBytes: Int?
    /// In the format of the original wire.
    package private(set) var allowedValues: [String]?
    package private(set) var scale: Int?
    package private(set) var minValue: String?
    package private(set) var maxValue: String?
    package private(set) var includesMinValue: Bool?
    package private(set) var includesMaxValue: Bool?
    /// Milliseconds since 1970 in UTC.
    package private(set) var minDate: String?
    /// Milliseconds since 1970 in UTC.
    package private(set) var maxDate: String?
    package private(set) var model: String?
    package private(set) var analyzesConflict: Bool?

    fileprivate init(_ type: FieldType) {
        switch type {
        case .text(let limits):
            minLength = limits.minLength
            maxLength = limits.maxLength
            pattern = limits.pattern?.source
            format = limits.format?.kind.rawValue
            maxBytes = limits.format?.maxBytes
            allowedValues = list(limits.allowedValues)
        case .integer(let limits):
            minValue = String(limits.minValue)
            maxValue = String(limits.maxValue)
            allowedValues = list(limits.allowedValues)
        case .decimal(let limits):
            scale = limits.scale
            minValue = limits.minValue?.description
            maxValue = limits.maxValue?.description
            includesMinValue = limits.includesMinValue
            includesMaxValue = limits.includesMaxValue
            allowedValues = list(limits.allowedValues)
        case .date(let limits):
            minDate = limits.minMilliseconds.map { "\($0)" }
            maxDate = limits.maxMilliseconds.map { "\($0)" }
        case .belongsTo(let relation):
            model = relation.model
            analyzesConflict = relation.analyzesConflict
        case .boolean, .file: break
        }
    }
}

/// Nil for an empty list.
private func list(_ values: [some CustomStringConvertible]) -> [String]? {
    values.isEmpty ? nil : values.map(\.description)
}

/// Levels are `NONE`, `OWN`, `GROUP` or `ALL`, as in `application.xml`.
package struct CompiledModelCredential: Codable, Hashable, Sendable {
    /// The role's name: `users-mobile`.
    package let role: String
    package let create: String
    package let read: String
    package let update: String
    package let delete: String
    package let resolvesConflicts: Bool
    package let place: CompiledPlace

    fileprivate init(_ role: Role, _ credential: ModelCredential) {
        self.role = role.name
        create = credential.create.rawValue
        read = credential.read.rawValue
        update = credential.update.rawValue
        delete = credential.delete.rawValue
        resolvesConflicts = credential.resolvesConflicts
        place = CompiledPlace(credential.place)
    }
}

/// Levels as in `CompiledModelCredential`.
package struct CompiledFieldCredential: Codable, Hashable, Sendable {
    package let role: String
    package let create: String
    package let read: String
    package let update: String
    package let place: CompiledPlace

    fileprivate init(_ role: Role, _ credential: FieldCredential) {
        self.role = role.name
        create = credential.create.rawValue
        read = credential.read.rawValue
        update = credential.update.rawValue
        place = CompiledPlace(credential.place)
    }
}

/// An option, or an attribute of Waggle's namespace, as written in the document. The digest and the
/// fingerprint are computed from these.
package struct CompiledOption: Codable, Hashable, Sendable {
    package let name: String
    package let value: String
    package let place: CompiledPlace

    fileprivate init(_ option: WrittenOption) {
        name = option.name
        value = option.value
        place = CompiledPlace(option.place)
    }
}

/// A position in `application.xml`. Line and column count from 1; columns count Unicode scalars.
package struct CompiledPlace: Codable, Hashable, Sendable {
    package let line: Int
    package let column: Int

    fileprivate init(_ place: SourcePlace) {
        line = place.line
        column = place.column
    }
}

extension RoleTable {
    fileprivate var inOrder: [(key: Role, value: Value)] {
        sorted { $0.key.name < $1.key.name }
    }
}

extension FieldValue {
    /// The text that `FieldValue(text:of:)` reads; nil for a file, which is never a default.
    fileprivate var compiledText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.description
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let milliseconds): String(milliseconds)
        case .reference(let guid): guid
        case .file: nil
        }
    }
}
