package import DefinitionModel

/// The names of models and fields over the versions of an environment.
///
/// A version may be deployed in the place of one that renamed something of it. It does not know
/// the later name, and gets it as one of its earlier names, so that its own name stands for the
/// stored values again.
package struct VersionNames: Sendable {
    private struct KnownField {
        let type: FieldTypeName
        let earlier: [String]

        /// Whether its values can be those of a field.
        func fits(_ field: Field) -> Bool {
            type == field.type.name || type.widens(to: field.type.name)
        }
    }

    private struct KnownModel {
        let earlier: [String]
        let fields: [String: KnownField]
    }

    /// Those of the last version.
    private var models: [String: KnownModel] = [:]
    private var last: Definition?

    package init() {}

    /// Goes on to the next version in the order of deployments, and returns it with the names that
    /// it follows back: of models and fields that it does not have, that the last version has in
    /// their place, and that were renamed from its own. Values of another type are not followed.
    ///
    /// - Parameter followsBack: False for a deployment that left values under the later names.
    package mutating func next(_ definition: Definition, followsBack: Bool = true) -> Definition {
        if let last, last.fingerprint == definition.fingerprint { return last }
        let followed = followsBack ? following(definition.asWritten) : definition
        models = Dictionary(
            followed.models.map { ($0.name, known($0)) }, uniquingKeysWith: { first, _ in first })
        last = followed
        return followed
    }

    private func following(_ definition: Definition) -> Definition {
        let present = models.mapValues(\.earlier)
        let back = laterNames(of: definition.models.map(Names.init), in: present) { model, later in
            guard let known = models[later] else { return false }
            let own = definition.model(named: model)?.fields ?? []
            return own.allSatisfy { known.fields[$0.name]?.fits($0) ?? true }
        }
        guard !models.isEmpty else { return definition }
        return definition.with(
            models: definition.models.map { model in
                let later = back[model.name].map { [$0] } ?? []
                let known = ([model.name] + model.renamedFrom + later).lazy
                    .compactMap { models[$0] }.first
                return model.with(
                    followedBack: later, fields: following(model, of: known))
            })
    }

    private func following(_ model: Model, of known: KnownModel?) -> [Field] {
        guard let known else { return model.fields }
        let present = known.fields.mapValues(\.earlier)
        let back = laterNames(of: model.fields.map(Names.init), in: present) { field, later in
            guard let stored = known.fields[later],
                let own = model.fields.first(where: { $0.name == field })
            else { return false }
            return stored.fits(own)
        }
        return model.fields.map { $0.with(followedBack: back[$0.name].map { [$0] } ?? []) }
    }

    private func known(_ model: Model) -> KnownModel {
        let sources = ([model.name] + model.renamedFrom).compactMap { models[$0] }
        let fields = model.fields.map { field in
            let former = ([field.name] + field.renamedFrom).flatMap { name in
                sources.flatMap { $0.fields[name]?.earlier ?? [] }
            }
            return (
                field.name,
                KnownField(type: field.type.name, earlier: names(field.renamedFrom + former))
            )
        }
        return KnownModel(
            earlier: names(model.renamedFrom + sources.flatMap(\.earlier)),
            fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }

    /// Each once, in their order.
    private func names(_ all: [String]) -> [String] {
        var known: Set<String> = []
        return all.filter { known.insert($0).inserted }
    }
}

/// The names of the last version for what a version calls otherwise and tells nothing of. Each is
/// taken once.
///
/// - Parameters:
///   - things: The models of the version, or the fields of one of them.
///   - present: The earlier names of those of the last version.
///   - fits: Whether the last version's values can be those of a thing.
private func laterNames(
    of things: [Names], in present: [String: [String]],
    where fits: (_ own: String, _ later: String) -> Bool
) -> [String: String] {
    let claimed = Set(things.flatMap { [$0.name] + $0.renamedFrom })
    var free = present.filter { !claimed.contains($0.key) }
    var found: [String: String] = [:]
    for thing in things {
        let isKnown = ([thing.name] + thing.renamedFrom).contains { present[$0] != nil }
        guard !isKnown else { continue }
        let later = free.filter { $0.value.contains(thing.name) && fits(thing.name, $0.key) }
        guard let name = later.keys.min() else { continue }
        found[thing.name] = name
        free[name] = nil
    }
    return found
}

extension Definition {
    /// The definition as its document has it, without names that it follows back. An app has it so.
    package var asWritten: Definition {
        with(
            models: models.map { model in
                model.with(
                    followedBack: [], fields: model.fields.map { $0.with(followedBack: []) })
            })
    }

    fileprivate func with(models: [Model]) -> Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models, writtenExtensions: writtenExtensions, digest: digest,
            fingerprint: fingerprint)
    }
}

extension Model {
    fileprivate func with(followedBack: [String], fields: [Field]) -> Model {
        Model(
            name: name, description: description,
            renamedFrom: renamedFrom.filter { !self.followedBack.contains($0) } + followedBack,
            followedBack: followedBack, conflictMode: conflictMode, fields: fields,
            credentials: credentials, writtenExtensions: writtenExtensions, place: place)
    }
}

extension Field {
    fileprivate func with(followedBack: [String]) -> Field {
        Field(
            name: name, description: description,
            renamedFrom: renamedFrom.filter { !self.followedBack.contains($0) } + followedBack,
            followedBack: followedBack, type: type, isRequired: isRequired, isUnique: isUnique,
            defaultValue: defaultValue, credentials: credentials, writtenOptions: writtenOptions,
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions, place: place)
    }
}
