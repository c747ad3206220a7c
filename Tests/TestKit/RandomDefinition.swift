package import DefinitionModel

/// Makes definitions that hold, with all that the language has. All places in them are the same,
/// and there is no digest, since no document has been compiled.
package struct RandomDefinition {
    private var random: SplitMix64
    private var roles: [Role] = []
    private var models: [String] = []

    package static let place = SourcePlace(line: 1, column: 1)

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    package mutating func next() -> Definition {
        let devices = names(upTo: 5)
        let groups = names(upTo: 5)
        let pairs = groups.flatMap { group in
            devices.map { Role(group: group, deviceCategory: $0) }
        }
        roles = random.some(of: pairs)
        models = names(upTo: 4)
        return Definition(
            application: name(), vendor: name(),
            conflictMode: random.one(of: ConflictMode.allCases) ?? .manual,
            deviceCategories: devices, groups: groups, roles: roles,
            models: models.indices.map { model(at: $0) }, digest: "")
    }

    private mutating func model(at index: Int) -> Model {
        Model(
            name: models[index], fields: names(upTo: 6).map { field($0, ofModelAt: index) },
            credentials: credentials {
                ModelCredential(
                    create: $0.level(), read: $0.level(), update: $0.level(), delete: $0.level(),
                    resolvesConflicts: $0.random.flip(), place: Self.place)
            }, place: Self.place)
    }

    private mutating func field(_ name: String, ofModelAt index: Int) -> Field {
        let limits = RandomLimits.some(
            of: random.one(of: FieldTypeName.allCases) ?? .text, models: models, using: &random)
        return Field(
            name: name, type: limits.type,
            isRequired: canBeRequired(limits.type, inModelAt: index) && random.flip(),
            defaultValue: limits.defaultValue?.value,
            credentials: credentials {
                FieldCredential(
                    create: $0.level(), read: $0.level(), update: $0.level(), place: Self.place)
            },
            writtenOptions: limits.options.map {
                WrittenOption(name: $0.name, value: $0.value, place: Self.place)
            },
            writtenDefault: limits.defaultValue?.text, place: Self.place)
    }

    /// A required relation goes to a model before this one, so that a first record can be made.
    private func canBeRequired(_ type: FieldType, inModelAt index: Int) -> Bool {
        guard case .belongsTo(let relation) = type else { return true }
        return models[..<index].contains(relation.model)
    }

    private mutating func credentials<Credential>(
        _ make: (inout RandomDefinition) -> Credential
    ) -> [Role: Credential] {
        var credentials: [Role: Credential] = [:]
        for role in random.some(of: roles) { credentials[role] = make(&self) }
        return credentials
    }

    private mutating func level() -> AccessLevel {
        random.one(of: AccessLevel.allCases) ?? .none
    }

    /// Each once.
    private mutating func names(upTo count: Int) -> [String] {
        var names: [String] = []
        for _ in 0..<random.number(in: 0...count) {
            let name = name()
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private mutating func name() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
        let length = random.one(of: [1, 2, 5, 12, 40]) ?? 1
        let tail = (1..<length).compactMap { _ in random.one(of: letters + "0123456789") }
        let name = String((random.one(of: letters).map { [$0] } ?? []) + tail)
        // Of the names that a field cannot have, those of one of these lengths.
        return ["owner", "group"].contains(name) ? "\(name)s" : name
    }
}
