package import DefinitionModel

/// The models that the clients of a version read after a deployment as they did before, although
/// the served version may have other names and types for them.
///
/// A model is left out if an unchanged record may look different to such clients: if they know
/// other fields of it, or if values of other models or fields may have come to it by a rename.
package struct KeptWords: Sendable {
    package struct KeptModel: Sendable {
        /// The former name of the served model.
        package let formerName: String
        /// The present names of served fields by the former ones, of those that the clients know.
        package let fields: [String: String]
    }

    /// By the present name of the served model.
    private let models: [String: KeptModel]

    /// Takes the translations of the same clients to the former and to the present version.
    ///
    /// - Parameter versions: From the former to the present one, in the order of their deployment.
    package init(
        before: ClientTranslation, after: ClientTranslation, over versions: [Definition]
    ) {
        let models = versions.map { $0.models.map(Names.init) }
        let kept = after.client.models.compactMap { model -> (String, KeptModel)? in
            guard let old = before.model(calledByClient: model.name),
                let new = after.model(calledByClient: model.name),
                let names = namesOfSame(as: old.served.name, over: models),
                names.last == new.served.name,
                let fields = Self.fields(
                    of: model, before: old, after: new,
                    over: zip(versions, names).map { version, name in
                        version.model(named: name)?.fields.map(Names.init) ?? []
                    })
            else { return nil }
            return (new.served.name, KeptModel(formerName: old.served.name, fields: fields))
        }
        self.models = Dictionary(kept, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for a model whose records may look different.
    package subscript(model: String) -> KeptModel? { models[model] }

    /// Nil if a field may look different.
    private static func fields(
        of model: Model, before: ModelTranslation, after: ModelTranslation,
        over versions: [[Names]]
    ) -> [String: String]? {
        var names: [String: String] = [:]
        for field in model.fields {
            switch (
                before.field(calledByClient: field.name), after.field(calledByClient: field.name)
            ) {
            case (nil, nil): continue
            case (let old?, let new?):
                let kept = namesOfSame(as: old.served.name, over: versions)
                guard kept?.last == new.served.name else { return nil }
                names[old.served.name] = new.served.name
            case (nil, _?), (_?, nil): return nil
            }
        }
        return names
    }
}

/// The names that versions gave to a model or field of the first of them; nil if in one of them the
/// records or values of others may have come to it.
///
/// - Parameter versions: Their models, or the fields of the model in each of them.
private func namesOfSame(as name: String, over versions: [[Names]]) -> [String]? {
    guard var origin = versions.first.flatMap({ Origin(name, in: $0) }) else { return nil }
    var names = [name]
    for (former, version) in zip(versions, versions.dropFirst()) {
        let next = laterName(of: origin.name, in: version)
        if let found = Origin(next, in: version) {
            guard found.isOnly(origin, of: Set(former.map(\.name))) else { return nil }
            origin = found
        }
        names.append(next)
    }
    return names
}

/// The names that a model or field has had.
private struct Origin {
    let name: String
    let all: Set<String>

    /// Nil for a name that is not there.
    init?(_ name: String, in names: [Names]) {
        guard let found = names.first(where: { $0.name == name }) else { return nil }
        self.name = name
        all = Set([name] + found.renamedFrom)
    }

    /// Whether all values are those of another one in the former version, which had these names. A
    /// name that it did not know may be that of values from before it.
    func isOnly(_ former: Origin, of formerNames: Set<String>) -> Bool {
        let others = all.subtracting(former.all)
        guard others.isDisjoint(with: formerNames) else { return false }
        return name == former.name || others.subtracting([name]).isEmpty
    }
}
