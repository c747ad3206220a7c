package import DefinitionModel

/// The reason why JSON is not a valid compiled definition.
package enum CompiledDefinitionError: Error, Hashable, Sendable {
    /// The format is newer than this version of Waggle, or is not a compiled definition.
    case unsupportedFormat(Int)
    /// A word that is not one of the language's values, and the attribute that it was read for.
    case unknownWord(String, for: String)
    case unknownRole(String)
    case unknownModel(String)
    case duplicateName(String)
    /// The type of the field needs a limit that is absent or unreadable.
    case illegalLimits(field: String)
    case illegalDefault(field: String)
}

extension CompiledDefinition {
    /// The definition. Throws for one that `DefinitionCompiler` cannot have produced, so a file
    /// edited by hand does no harm. Digest and fingerprint are not recomputed.
    package func definition() throws(CompiledDefinitionError) -> Definition {
        guard format == Self.currentFormat else { throw .unsupportedFormat(format) }
        try refuseDuplicates(in: roles.map(\.role.name))
        try refuseDuplicates(in: models.map(\.name))
        let scope = Scope(
            roles: Dictionary(roles.map { ($0.role.name, $0.role) }) { first, _ in first },
            models: Set(models.map(\.name)))
        var definedModels: [Model] = []
        for model in models { definedModels.append(try model.model(in: scope)) }
        return Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: try word(conflictMode, for: "conflictMode"),
            deviceCategories: deviceCategories, groups: groups, roles: roles.map(\.role),
            models: definedModels, writtenExtensions: writtenExtensions.map(\.option),
            digest: digest, fingerprint: fingerprint)
    }
}

/// The names that a definition may refer to.
private struct Scope {
    let roles: [String: Role]
    let models: Set<String>

    func role(_ name: String) throws(CompiledDefinitionError) -> Role {
        guard let role = roles[name] else { throw .unknownRole(name) }
        return role
    }
}

extension CompiledRole {
    fileprivate var role: Role { Role(group: group, deviceCategory: deviceCategory) }
}

extension CompiledPlace {
    fileprivate var place: SourcePlace { SourcePlace(line: line, column: column) }
}

extension CompiledOption {
    fileprivate var option: WrittenOption {
        WrittenOption(name: name, value: value, place: place.place)
    }
}

extension CompiledModel {
    fileprivate func model(in scope: Scope) throws(CompiledDefinitionError) -> Model {
        try refuseDuplicates(in: fields.map(\.name))
        try refuseDuplicates(in: credentials.map(\.role))
        var definedFields: [Field] = []
        for field in fields { definedFields.append(try field.field(in: scope)) }
        var byRole = RoleTable<ModelCredential>()
        for credential in credentials {
            _ = byRole.insert(
                ModelCredential(
                    create: try word(credential.create, for: "create"),
                    read: try word(credential.read, for: "read"),
                    update: try word(credential.update, for: "update"),
                    delete: try word(credential.delete, for: "delete"),
                    resolvesConflicts: credential.resolvesConflicts,
                    place: credential.place.place), for: try scope.role(credential.role))
        }
        return Model(
            name: name, description: description, renamedFrom: renamedFrom,
            conflictMode: try word(conflictMode, for: "conflictMode"), fields: definedFields,
            credentials: byRole, writtenExtensions: writtenExtensions.map(\.option),
            place: place.place)
    }
}

extension CompiledField {
    fileprivate func field(in scope: Scope) throws(CompiledDefinitionError) -> Field {
        try refuseDuplicates(in: credentials.map(\.role))
        let typeName: FieldTypeName = try word(type, for: "type")
        guard let type = limits.type(named: typeName) else {
            throw .illegalLimits(field: name)
        }
        if case .belongsTo(let relation) = type, !scope.models.contains(relation.model) {
            throw .unknownModel(relation.model)
        }
        var byRole = RoleTable<FieldCredential>()
        for credential in credentials {
            _ = byRole.insert(
                FieldCredential(
                    create: try word(credential.create, for: "create"),
                    read: try word(credential.read, for: "read"),
                    update: try word(credential.update, for: "update"),
                    place: credential.place.place), for: try scope.role(credential.role))
        }
        return Field(
            name: name, description: description, renamedFrom: renamedFrom, type: type,
            isRequired: isRequired, isUnique: isUnique, defaultValue: try value(of: type),
            credentials: byRole, writtenOptions: writtenOptions.map(\.option),
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions.map(\.option),
            place: place.place)
    }

    private func value(
        of type: FieldType
    ) throws(CompiledDefinitionError) -> FieldValue? {
        guard let defaultValue else { return nil }
        guard let value = FieldValue(text: defaultValue, of: type.name),
            type.violations(of: value).isEmpty
        else { throw .illegalDefault(field: name) }
        return value
    }
}

extension CompiledLimits {
    /// Nil if a required limit is absent or a limit is unreadable.
    fileprivate func type(named name: FieldTypeName) -> FieldType? {
        switch name {
        case .text: textLimits.map { .text($0) }
        case .integer: integerLimits.map { .integer($0) }
        case .decimal: decimalLimits.map { .decimal($0) }
        case .belongsTo:
            model.map {
                .belongsTo(Relation(model: $0, analyzesConflict: analyzesConflict ?? false))
            }
        case .boolean: .boolean
        case .date: dateLimits.map { .date($0) }
        case .file: .file
        }
    }

    private var integerLimits: IntegerLimits? {
        guard let lowest = minValue.flatMap({ Int64(strict: $0) }),
            let highest = maxValue.flatMap({ Int64(strict: $0) }), lowest <= highest,
            let allowed = allAllowed({ Int64(strict: $0) })
        else { return nil }
        return IntegerLimits(minValue: lowest, maxValue: highest, allowedValues: allowed)
    }

    private var textLimits: TextLimits? {
        let pattern = pattern.map { try? TextPattern($0) }
        let textFormat = format.map { format(named: $0) }
        guard let maxLength, let minLength, minLength <= maxLength, pattern != .some(nil),
            textFormat != .some(nil)
        else { return nil }
        return TextLimits(
            minLength: minLength, maxLength: maxLength, pattern: pattern ?? nil,
            allowedValues: allowedValues ?? [], format: textFormat ?? nil)
    }

    private func format(named name: String) -> TextFormat? {
        guard let kind = TextFormat.Kind(rawValue: name), let maxBytes, maxBytes > 0 else {
            return nil
        }
        return TextFormat(kind, maxBytes: maxBytes)
    }

    private var dateLimits: DateLimits? {
        let lowest = minDate.map { Int64(strict: $0) }
        let highest = maxDate.map { Int64(strict: $0) }
        guard lowest != .some(nil), highest != .some(nil) else { return nil }
        return DateLimits(minMilliseconds: lowest ?? nil, maxMilliseconds: highest ?? nil)
    }

    /// Nil if a value is unreadable.
    private func allAllowed<Value>(_ read: (String) -> Value?) -> [Value]? {
        let texts = allowedValues ?? []
        let values = texts.compactMap(read)
        return values.count == texts.count ? values : nil
    }

    private var decimalLimits: DecimalLimits? {
        let lowest = minValue.map { DecimalNumber($0) }
        let highest = maxValue.map { DecimalNumber($0) }
        guard let scale, let includesMinValue, let includesMaxValue, scale >= 0,
            lowest != .some(nil), highest != .some(nil),
            let allowed = allAllowed({ DecimalNumber($0) })
        else { return nil }
        return DecimalLimits(
            scale: scale, minValue: lowest ?? nil, maxValue: highest ?? nil,
            includesMinValue: includesMinValue, includesMaxValue: includesMaxValue,
            allowedValues: allowed)
    }
}

private func word<Value: RawRepresentable<String>>(
    _ text: String, for meaning: String
) throws(CompiledDefinitionError) -> Value {
    guard let value = Value(rawValue: text) else { throw .unknownWord(text, for: meaning) }
    return value
}

private func refuseDuplicates(in names: [String]) throws(CompiledDefinitionError) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted { throw .duplicateName(name) }
}
