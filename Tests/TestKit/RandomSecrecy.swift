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
/// the conflict modes and the relations. Every model has the same fields: texts, a number, JSON, a
/// relation and a file. One more model has pairs of records.
package struct RandomSecrecy: Sendable {
    package static let models = ["Note", "Page", "Item"]
    package static let texts = ["a", "b", "c"]
    /// Pairs of a note and an item, which are the relation `links` for clients of Parse.
    package static let pairs = (model: "Link", owner: "Note", target: "Item")
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
                addLevels(of: subject, using: &random)
            }
        }
        for subject in [Self.pairs.model] + ["from", "to"].map({ "\(Self.pairs.model).\($0)" }) {
            addLevels(of: subject, using: &random)
        }
    }

    private mutating func addLevels(of subject: String, using random: inout SplitMix64) {
        for operation in ["create", "read", "update", "delete"] {
            levels["\(subject) \(operation)"] = random.one(
                of: [.all, .all, .all, .group, .own, .none])
        }
    }

    package static let fields = texts + ["number", "list", "up", "file"]

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
            roles: [Self.keepers, Self.readers], models: Self.models.map(model) + [pairs],
            digest: "digest")
    }

    private func model(_ name: String) -> Model {
        let texts = Self.texts.map { text in
            field(text, of: name, .text(TextLimits(maxLength: 1000)))
        }
        let others = [
            field("number", of: name, .integer(IntegerLimits()), options: []),
            field(
                "list", of: name,
                .text(TextLimits(maxLength: 1000, format: TextFormat(.json, maxBytes: 1000))),
                options: [],
                extensions: [written("format", "json"), written("maxBytes", "1000")]),
            relation(of: name), field("file", of: name, .file),
        ]
        return model(name, fields: texts + others, extensions: [])
    }

    private var pairs: Model {
        let (model, owner, target) = Self.pairs
        let fields = [("from", owner), ("to", target)].map { name, target in
            field(
                name, of: model, .belongsTo(Relation(model: target, analyzesConflict: false)),
                options: [written("model", target)], isRequired: true)
        }
        return self.model(model, fields: fields, extensions: [written("joins", "links")])
    }

    private func model(_ name: String, fields: [Field], extensions: [WrittenOption]) -> Model {
        let mode = mode(of: name)
        let readers = ModelCredential(
            create: level("\(name) create"), read: level("\(name) read"),
            update: level("\(name) update"), delete: level("\(name) delete"),
            resolvesConflicts: true, place: RandomDefinition.place)
        let keepers = ModelCredential(
            create: .all, read: .all, update: .all, delete: .all, resolvesConflicts: true,
            place: RandomDefinition.place)
        return Model(
            name: name, conflictMode: mode, fields: fields,
            credentials: RoleTable([
                (key: Self.keepers, value: keepers), (key: Self.readers, value: readers),
            ]),
            writtenExtensions: [written("conflictMode", mode.rawValue)] + extensions,
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
        _ name: String, of model: String, _ type: FieldType, options: [WrittenOption]? = nil,
        extensions: [WrittenOption] = [], isRequired: Bool = false
    ) -> Field {
        let right = "\(model).\(name)"
        let isText = type.name == .text
        return Field(
            name: name, type: type, isRequired: isRequired, isUnique: false, defaultValue: nil,
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
            writtenDefault: nil, writtenExtensions: extensions, place: RandomDefinition.place)
    }

    private func level(_ right: String) -> AccessLevel { levels[right] ?? .none }

    private func written(_ name: String, _ value: String) -> WrittenOption {
        WrittenOption(name: name, value: value, place: RandomDefinition.place)
    }
}
