package import DefinitionModel

/// The relationship of a reader to a record.
package struct Kinship: Hashable, Sendable {
    package let isOwner: Bool
    package let isInGroup: Bool

    package init(isOwner: Bool, isInGroup: Bool) {
        self.isOwner = isOwner
        self.isInGroup = isInGroup
    }

    package static let all = [false, true].flatMap { isOwner in
        [false, true].map { Kinship(isOwner: isOwner, isInGroup: $0) }
    }
}

/// A random definition: `keepers` may do everything, and the rights of `readers` are random, as are
/// the conflict modes and the relations. Every model has the same fields: texts, a relation and a
/// file.
package struct RandomSecrecy: Sendable {
    package static let models = ["Note", "Page", "Item"]
    package static let texts = ["a", "b", "c"]
    package static let keepers = Role(group: "keepers", deviceCategory: "mobile")
    package static let readers = Role(group: "readers", deviceCategory: "mobile")

    /// By model, or model and field, then the operation: `Note.a read`.
    private var levels: [String: AccessLevel] = [:]
    private var modes: [String: ConflictMode] = [:]
    /// The target of each model's relation.
    package private(set) var targets: [String: String] = [:]
    private var analyzes: [String: Bool] = [:]

    package init(using random: inout SplitMix64) {
        for model in Self.models {
            modes[model] = random.one(of: ConflictMode.allCases)
            targets[model] = random.one(of: Self.models)
            analyzes[model] = random.number(in: 0..<3) > 0
            for subject in [model] + Self.fields.map({ "\(model).\($0)" }) {
                for operation in ["create", "read", "update", "delete"] {
                    levels["\(subject) \(operation)"] = random.one(
                        of: [.all, .all, .all, .group, .own, .none])
                }
            }
        }
    }

    package static let fields = texts + ["up", "file"]

    package func mode(of model: String) -> ConflictMode { modes[model] ?? .manual }

    // MARK: - Rights

    /// Whether readers see a field of a record.
    package func shows(_ field: String, of model: String, _ kinship: Kinship) -> Bool {
        reaches("\(model) read", kinship) && reaches("\(model).\(field) read", kinship)
    }

    /// Whether readers can know that a record exists.
    package func tells(of model: String, _ kinship: Kinship) -> Bool {
        kinship.isOwner
            || ["read", "update", "delete"].contains { reaches("\(model) \($0)", kinship) }
    }

    private func reaches(_ right: String, _ kinship: Kinship) -> Bool {
        switch levels[right] {
        case .all?: true
        case .own?: kinship.isOwner
        case .group?: kinship.isInGroup
        case .some(.none), nil: false
        }
    }

    // MARK: - The definition

    package var definition: Definition {
        Definition(
            application: "worlds", vendor: "test", conflictMode: .manual,
            deviceCategories: ["mobile"], groups: [Self.keepers.group, Self.readers.group],
            roles: [Self.keepers, Self.readers], models: Self.models.map(model), digest: "digest")
    }

    private func model(_ name: String) -> Model {
        let mode = mode(of: name)
        let readers = ModelCredential(
            create: level("\(name) create"), read: level("\(name) read"),
            update: level("\(name) update"), delete: level("\(name) delete"),
            resolvesConflicts: true, place: RandomDefinition.place)
        let keepers = ModelCredential(
            create: .all, read: .all, update: .all, delete: .all, resolvesConflicts: true,
            place: RandomDefinition.place)
        return Model(
            name: name, conflictMode: mode,
            fields: Self.texts.map { field($0, of: name, .text(TextLimits(maxLength: 1000))) }
                + [relation(of: name), field("file", of: name, .file)],
            credentials: RoleTable([
                (key: Self.keepers, value: keepers), (key: Self.readers, value: readers),
            ]),
            writtenExtensions: [written("conflictMode", mode.rawValue)],
            place: RandomDefinition.place)
    }

    private func relation(of model: String) -> Field {
        let target = targets[model] ?? model
        let analyzes = analyzes[model] ?? false
        return field(
            "up", of: model, .belongsTo(Relation(model: target, analyzesConflict: analyzes)),
            options: [written("model", target), written("analyzeConflict", "\(analyzes)")])
    }

    private func field(
        _ name: String, of model: String, _ type: FieldType, options: [WrittenOption]? = nil
    ) -> Field {
        let right = "\(model).\(name)"
        let isText = type.name == .text
        return Field(
            name: name, type: type, isRequired: false, isUnique: false, defaultValue: nil,
            credentials: RoleTable([
                (
                    key: Self.keepers,
                    value: FieldCredential(
                        create: .all, read: .all, update: .all, place: RandomDefinition.place)
                ),
                (
                    key: Self.readers,
                    value: FieldCredential(
                        create: level("\(right) create"), read: level("\(right) read"),
                        update: level("\(right) update"), place: RandomDefinition.place)
                ),
            ]), writtenOptions: options ?? (isText ? [written("maxLength", "1000")] : []),
            writtenDefault: nil, place: RandomDefinition.place)
    }

    private func level(_ right: String) -> AccessLevel { levels[right] ?? .none }

    private func written(_ name: String, _ value: String) -> WrittenOption {
        WrittenOption(name: name, value: value, place: RandomDefinition.place)
    }
}
