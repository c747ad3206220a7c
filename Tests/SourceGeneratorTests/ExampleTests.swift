import DefinitionModel
import Foundation
import TestKit
import Testing

/// The example definitions.
@Suite struct ExampleTests {
    @Test(arguments: examples)
    func exampleCompilesAndDescribesItsUse(example: String) throws {
        _ = try compiled(example)
        let text = String(
            decoding: try bytes(ofFile: "Definitions/\(example)/README.md"), as: UTF8.self)
        #expect(text.contains("**Try this.**"))
        let list = String(decoding: try bytes(ofFile: "Definitions/README.md"), as: UTF8.self)
        #expect(list.contains("(\(example)/README.md)"))
    }

    /// Every role that may create a record may set its required fields.
    @Test(arguments: examples)
    func creatorsCanSetRequiredFields(example: String) throws {
        for (model, role, credential) in try grants(in: example) where credential.create != .none {
            let missing = model.fields.filter {
                $0.isRequired && $0.defaultValue == nil
                    && ($0.credentials[role]?.create ?? AccessLevel.none) == .none
            }
            #expect(missing.map(\.name) == [], "\(model.name), \(role.name)")
        }
    }

    @Test(arguments: examples)
    func updatableFieldsAreReadable(example: String) throws {
        for (model, role, credential) in try grants(in: example) {
            let place = "\(model.name), \(role.name)"
            #expect(reaches(credential.read, credential.update), "\(place)")
            #expect(reaches(credential.read, credential.delete), "\(place)")
            for field in model.fields {
                guard let right = field.credentials[role] else { continue }
                #expect(reaches(right.read, right.update), "\(place), \(field.name)")
                #expect(reaches(credential.read, right.read), "\(place), \(field.name)")
                #expect(reaches(credential.update, right.update), "\(place), \(field.name)")
                #expect(reaches(credential.create, right.create), "\(place), \(field.name)")
            }
        }
    }

    /// A reader of a record may read the target of a required relation.
    @Test(arguments: examples)
    func readersOfRecordReadItsRequiredTargets(example: String) throws {
        let definition = try compiled(example)
        for (model, role, credential) in try grants(in: example) where credential.read != .none {
            for field in model.fields where field.isRequired {
                guard case .belongsTo(let relation) = field.type else { continue }
                let target = definition.models.first { $0.name == relation.model }
                let read = target?.credentials[role]?.read ?? AccessLevel.none
                #expect(read != .none, "\(model.name), \(role.name), \(field.name)")
            }
        }
    }

    @Test func fieldServiceUsesTheWholeLanguage() throws {
        let definition = try compiled("FieldService")
        let fields = definition.models.flatMap(\.fields)
        let levels = definition.models.flatMap { $0.credentials.values }.flatMap {
            [$0.create, $0.read, $0.update, $0.delete]
        }
        #expect(definition.models.count >= 8)
        #expect(definition.groups.count == 3 && definition.deviceCategories.count == 2)
        #expect(definition.roles.count == 5)
        #expect(Set(fields.map(\.type.name)) == Set(FieldTypeName.allCases))
        #expect(Set(levels) == Set(AccessLevel.allCases))
        #expect(
            Set(fields.flatMap(\.writtenOptions).map(\.name)) == [
                "maxLength", "minValue", "maxValue", "scale", "includeMinValue", "includeMaxValue",
                "model", "analyzeConflict",
            ])
        #expect(
            Set(fields.filter { $0.defaultValue != nil }.map(\.type.name)) == [
                .text, .integer, .decimal, .boolean,
            ])
    }
}

private let examples = ["Conflicts", "Permissions", "FieldService", "Todo", "Dates"]

private func grants(in example: String) throws -> [(Model, Role, ModelCredential)] {
    try compiled(example).models.flatMap { model in
        model.credentials.map { (model, $0.key, $0.value) }
    }
}

/// Whether the first level reaches every record that the second does.
private func reaches(_ wide: AccessLevel, _ narrow: AccessLevel) -> Bool {
    narrow == .none || wide == .all || wide == narrow
}
