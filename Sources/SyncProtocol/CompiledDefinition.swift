package import DefinitionModel
import Foundation

/// A definition as JSON: what `compile` writes, and a client starts from.
///
/// Says all that the definition says, in the words of `application.xml` where it has one. Limits
/// and defaults are resolved; numbers that 53 bits might not hold are strings.
package struct CompiledDefinition: Codable, Hashable, Sendable {
    /// Grows when a reader of the old format would misunderstand the new one.
    package static let currentFormat = 1

    package let format: Int
    package let application: String
    package let vendor: String
    package let conflictMode: String
    package let deviceCategories: [String]
    package let groups: [String]
    package let roles: [CompiledRole]
    package let models: [CompiledModel]
    package let digest: String

    package init(_ definition: Definition) {
        format = Self.currentFormat
        application = definition.application
        vendor = definition.vendor
        conflictMode = definition.conflictMode.rawValue
        deviceCategories = definition.deviceCategories
        groups = definition.groups
        roles = definition.roles.map {
            CompiledRole(group: $0.group, deviceCategory: $0.deviceCategory)
        }
        models = definition.models.map(CompiledModel.init)
        digest = definition.digest
    }

    /// Reads JSON in any layout. That it makes sense is only known from `definition()`.
    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }

    /// The same bytes for the same definition: keys in order, indented, credentials by role, a
    /// newline at the end. So also for documents that differ only in the order of attributes, or
    /// of sections as long as models, fields, credentials and options stay where they are.
    package func canonicalJSON() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try Array(encoder.encode(self)) + "\n".utf8
    }
}

/// A role as the pair it is; its name is `GROUP-DEVICECATEGORY`.
package struct CompiledRole: Codable, Hashable, Sendable {
    package let group: String
    package let deviceCategory: String
}

/// A model, with its credentials in the order of their roles.
package struct CompiledModel: Codable, Hashable, Sendable {
    package let name: String
    package let fields: [CompiledField]
    package let credentials: [CompiledModelCredential]
    package let place: CompiledPlace

    fileprivate init(_ model: Model) {
        name = model.name
        fields = model.fields.map(CompiledField.init)
        credentials = model.credentials.inOrder.map(CompiledModelCredential.init)
        place = CompiledPlace(model.place)
    }
}

/// A field, with every limit of its type and its default resolved.
package struct CompiledField: Codable, Hashable, Sendable {
    package let name: String
    package let type: String
    package let limits: CompiledLimits
    package let isRequired: Bool
    /// In the form that the original wire has for such a value; absent where there is none.
    package let defaultValue: String?
    package let credentials: [CompiledFieldCredential]
    package let writtenOptions: [CompiledOption]
    package let writtenDefault: String?
    package let place: CompiledPlace

    fileprivate init(_ field: Field) {
        name = field.name
        type = field.type.name.rawValue
        limits = CompiledLimits(field.type)
        isRequired = field.isRequired
        defaultValue = field.defaultValue.flatMap(\.compiledText)
        credentials = field.credentials.inOrder.map(CompiledFieldCredential.init)
        writtenOptions = field.writtenOptions.map {
            CompiledOption(name: $0.name, value: $0.value, place: CompiledPlace($0.place))
        }
        writtenDefault = field.writtenDefault
        place = CompiledPlace(field.place)
    }
}

/// Those of the field's type; the others are absent, as are decimal limits that are not set.
package struct CompiledLimits: Codable, Hashable, Sendable {
    /// In UTF-16 code units.
    package private(set) var maxLength: Int?
    package private(set) var scale: Int?
    package private(set) var minValue: String?
    package private(set) var maxValue: String?
    package private(set) var includesMinValue: Bool?
    package private(set) var includesMaxValue: Bool?
    package private(set) var model: String?
    package private(set) var analyzesConflict: Bool?

    fileprivate init(_ type: FieldType) {
        switch type {
        case .text(let limits): maxLength = limits.maxLength
        case .integer(let limits):
            minValue = String(limits.minValue)
            maxValue = String(limits.maxValue)
        case .decimal(let limits):
            scale = limits.scale
            minValue = limits.minValue?.description
            maxValue = limits.maxValue?.description
            includesMinValue = limits.includesMinValue
            includesMaxValue = limits.includesMaxValue
        case .belongsTo(let relation):
            model = relation.model
            analyzesConflict = relation.analyzesConflict
        case .boolean, .date, .file: break
        }
    }
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

/// As the one of a model.
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

/// An option as the document writes it, from which the digest is computed.
package struct CompiledOption: Codable, Hashable, Sendable {
    package let name: String
    package let value: String
    package let place: CompiledPlace
}

/// In `application.xml`; both start at 1, the column in Unicode scalars.
package struct CompiledPlace: Codable, Hashable, Sendable {
    package let line: Int
    package let column: Int

    fileprivate init(_ place: SourcePlace) {
        line = place.line
        column = place.column
    }
}

extension [Role: ModelCredential] {
    fileprivate var inOrder: [(Role, ModelCredential)] { sorted { $0.key.name < $1.key.name } }
}

extension [Role: FieldCredential] {
    fileprivate var inOrder: [(Role, FieldCredential)] { sorted { $0.key.name < $1.key.name } }
}

extension FieldValue {
    /// What `FieldValue(text:of:)` reads. A file has no such form, and is never a default.
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
