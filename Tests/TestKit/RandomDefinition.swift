package import DefinitionModel

/// Makes valid random definitions with every element of the language. All places are the same, and
/// there is no digest, since no document has been compiled.
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
        let mode = random.one(of: [ConflictMode.manual, .overwrite, .discard]) ?? .manual
        let ownMode = ownConflictMode()
        let description = ownDescription()
        return Definition(
            application: name(), vendor: name(), description: description.meaning,
            conflictMode: mode, deviceCategories: devices, groups: groups, roles: roles,
            models: models.indices.map { model(at: $0, mode: ownMode.meaning ?? mode) },
            writtenExtensions: written(description.written + ownMode.written), digest: "")
    }

    private mutating func model(at index: Int, mode: ConflictMode) -> Model {
        let description = ownDescription()
        let renamed = ownRenames(to: models[index])
        let alias = ownAlias(of: models[index])
        let ownMode = ownConflictMode()
        return Model(
            name: models[index], description: description.meaning, renamedFrom: renamed.meaning,
            conflictMode: ownMode.meaning ?? mode,
            fields: names(upTo: 6).map { field($0, ofModelAt: index) },
            credentials: credentials {
                ModelCredential(
                    create: $0.level(), read: $0.level(), update: $0.level(), delete: $0.level(),
                    resolvesConflicts: $0.random.flip(), place: Self.place)
            },
            writtenExtensions: written(
                description.written + renamed.written + ownMode.written + alias), place: Self.place)
    }

    private mutating func field(_ name: String, ofModelAt index: Int) -> Field {
        let limits = RandomLimits.some(
            of: random.one(of: FieldTypeName.allCases) ?? .text, models: models, using: &random)
        let description = ownDescription()
        let renamed = ownRenames(to: name)
        let alias = ownAlias(of: name)
        let unique = ownUnique(for: limits.type)
        let credentials = credentials {
            FieldCredential(
                create: $0.level(), read: $0.level(), update: $0.level(), place: Self.place)
        }
        let canBeFilled =
            limits.defaultValue != nil
            || roles.allSatisfy { (credentials[$0]?.create ?? .none) != .none }
        return Field(
            name: name, description: description.meaning, renamedFrom: renamed.meaning,
            type: limits.type,
            isRequired: canBeFilled && canBeRequired(limits.type, inModelAt: index)
                && random.flip(),
            isUnique: unique.meaning, defaultValue: limits.defaultValue?.value,
            credentials: credentials, writtenOptions: written(limits.options),
            writtenDefault: limits.defaultValue?.text,
            writtenExtensions: written(
                description.written + renamed.written + unique.written + limits.extensions
                    + alias),
            place: Self.place)
    }

    /// A required relation refers to an earlier model, so that a first record can be created.
    private func canBeRequired(_ type: FieldType, inModelAt index: Int) -> Bool {
        guard case .belongsTo(let relation) = type else { return true }
        return models[..<index].contains(relation.model)
    }

    private mutating func credentials<Credential>(
        _ make: (inout RandomDefinition) -> Credential
    ) -> RoleTable<Credential> {
        var credentials = RoleTable<Credential>()
        for role in random.some(of: roles) { _ = credentials.insert(make(&self), for: role) }
        return credentials
    }

    private mutating func level() -> AccessLevel {
        random.one(of: AccessLevel.allCases) ?? .none
    }

    /// Distinct names.
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
        // Reserved names of fields with one of these lengths.
        return ["owner", "group"].contains(name) ? "\(name)s" : name
    }
}

// MARK: - Our own attributes

/// The meaning of an attribute, and its text, if it is written.
private struct Own<Meaning> {
    let meaning: Meaning
    let written: [RandomLimits.Written]
}

extension RandomDefinition {
    private func written(_ attributes: [RandomLimits.Written]) -> [WrittenOption] {
        attributes.map { WrittenOption(name: $0.name, value: $0.value, place: Self.place) }
    }

    /// A blank description counts as none.
    private mutating func ownDescription() -> Own<String?> {
        guard random.flip() else { return Own(meaning: nil, written: []) }
        let text = random.one(of: ["", " \n", "a", String.random(upTo: 60, using: &random)]) ?? ""
        let isBlank = text.allSatisfy(\.isWhitespace)
        return Own(meaning: isBlank ? nil : text, written: [("description", text)])
    }

    private mutating func ownConflictMode() -> Own<ConflictMode?> {
        let mode = random.flip() ? nil : random.one(of: ConflictMode.allCases)
        return Own(meaning: mode, written: mode.map { [("conflictMode", $0.rawValue)] } ?? [])
    }

    /// Names that no other element has or had.
    private mutating func ownRenames(to name: String) -> Own<[String]> {
        let earlier = random.some(of: ["\(name)_earlier_than_40", "\(name)_before_that_one_of_40"])
        let text = earlier.joined(separator: random.one(of: [" ", "\n\t"]) ?? " ")
        return Own(meaning: earlier, written: earlier.isEmpty ? [] : [("renamedFrom", text)])
    }

    /// A name that no other element has in any case.
    private mutating func ownAlias(of name: String) -> [RandomLimits.Written] {
        random.flip() || name != name.lowercased()
            ? [] : [("alias", "\(name)_elsewhere_of_more_than_40_characters")]
    }

    private mutating func ownUnique(for type: FieldType) -> Own<Bool> {
        if type.format?.kind == .json { return Own(meaning: false, written: []) }
        switch type.name {
        case .boolean, .file: return Own(meaning: false, written: [])
        case .text, .integer, .decimal, .date, .belongsTo:
            let isUnique = random.flip()
            let isWritten = isUnique || random.flip()
            return Own(
                meaning: isUnique, written: isWritten ? [("unique", "\(isUnique)")] : [])
        }
    }
}
