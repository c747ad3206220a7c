package import DefinitionModel

/// The versions of an environment in the order of their deployment, with the names that they follow
/// back.
///
/// A version that is deployed again may come after others that renamed something of it. It does not
/// know the later name, and gets it as one of its earlier names, so that its own name stands for
/// the stored values again.
package struct VersionNames: Sendable {
    private var versions: [Definition] = []

    package init() {}

    /// Goes on to the next version in the order of deployments, and returns it with the names that
    /// it follows back. A version that was not deployed before follows none: what it calls by a
    /// name of earlier times may be something else.
    ///
    /// - Parameters:
    ///   - definition: The version. Names that it follows back already are not regarded.
    ///   - followsBack: False for a deployment that left values under the later names.
    package mutating func next(_ definition: Definition, followsBack: Bool = true) -> Definition {
        if let last = versions.last, last.fingerprint == definition.fingerprint { return last }
        let place = versions.lastIndex { $0.fingerprint == definition.fingerprint }
        var next = definition.asWritten
        if followsBack, let place {
            next = next.followingBack(over: Array(versions[(place + 1)...]))
        }
        versions.append(next)
        return next
    }
}

extension Definition {
    /// The same with the names that later versions gave to models and fields.
    fileprivate func followingBack(over later: [Definition]) -> Definition {
        let present = later.last?.models ?? []
        let followed = FollowedNames(of: self, along: .later(later)).models
        let names = namesBack(
            to: models.map(Names.init), from: followed.mapValues(\.name),
            beside: Set(present.map(\.name)))
        return with(
            models: models.map { model in
                guard let known = followed[model.name],
                    known.name == model.name || known.name == names[model.name]
                else { return model }
                let fields = present.first { $0.name == known.name }?.fields ?? []
                let back = namesBack(
                    to: model.fields.map(Names.init), from: known.fields,
                    beside: Set(fields.map(\.name)))
                return model.with(
                    followedBack: names[model.name].map { [$0] } ?? [],
                    fields: model.fields.map { field in
                        field.with(followedBack: back[field.name].map { [$0] } ?? [])
                    })
            })
    }
}

/// The later names that a version follows back, by its own: those of which the version itself says
/// nothing, and which stand for one thing of it only, not for several that were merged.
///
/// - Parameters:
///   - things: The models of the version, or the fields of one of them.
///   - later: Their later names.
///   - present: The names in the last version. A thing with a name of its own there keeps it.
private func namesBack(
    to things: [Names], from later: [String: String], beside present: Set<String>
) -> [String: String] {
    let claimed = Set(things.flatMap { [$0.name] + $0.renamedFrom })
    let counts = Dictionary(later.values.map { ($0, 1) }, uniquingKeysWith: +)
    return later.filter { own, name in
        !claimed.contains(name) && counts[name] == 1 && !present.contains(own)
    }
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

    /// The same, for a comparison with another version: the names that the other one has for its
    /// models and fields are earlier ones, also if only versions on the path renamed them.
    package func naming(_ other: Definition, along path: VersionPath) -> Definition {
        let followed = FollowedNames(of: other, along: path).models
        return with(
            models: models.map { model in
                let formers = followed.filter { $0.value.name == model.name }
                let fields = formers.values.flatMap(\.fields)
                return model.with(
                    followedBack: formers.keys.filter { $0 != model.name }.sorted(),
                    fields: model.fields.map { field in
                        let names = fields.filter { $0.value == field.name }.map(\.key)
                        return field.with(
                            followedBack: Set(names).subtracting([field.name]).sorted())
                    })
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
