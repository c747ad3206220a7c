package import AccessPolicy
import ChangeRules
import DefinitionModel
import VersionTranslation

/// The rules and rights under which a client saw records before its rights changed.
package struct PreviousReadPolicy: Sendable {
    private let asker: Asker
    private let former: Rules
    /// The former names of the current models, by current name.
    private let formerNames: [String: String]
    /// The current models whose records all look different from before.
    private let reshapedModels: Set<String>
    /// By current model, the current names of fields that had another one.
    private let fieldNames: [String: [String: String]]

    /// The names of the version of the former rules in those of now; nil if it is unknown.
    private let names: ClientTranslation?

    /// Creates the policy of `rights` under the rules `former`. `now` has the current models, which
    /// may have been renamed since.
    ///
    /// - Parameters:
    ///   - names: Follows the names of the version of the former rules over all versions since,
    ///     also those of models that are gone.
    ///   - words: Those of a client that speaks the same ones under both rules; nil for one that
    ///     speaks those of the served version.
    init(
        of rights: Rights, under former: Rules, now: Rules, following names: ClientTranslation?,
        keeping words: KeptWords?
    ) {
        self.names = names
        asker = Asker(
            login: rights.login, group: rights.group,
            role: Role(group: rights.group, deviceCategory: rights.deviceCategory))
        self.former = former
        let models = now.definition.models.compactMap { model in
            former.model(formerly: model, following: names).map {
                (name: model.name, model: model, former: $0)
            }
        }
        formerNames = Dictionary(
            models.map { ($0.name, $0.former.name) }, uniquingKeysWith: { first, _ in first })
        let isSame = former.definition.fingerprint == now.definition.fingerprint
        let reshaped = models.filter { model in
            if let words { return words[model.name]?.formerName != model.former.name }
            return !isSame && !model.model.looks(like: model.former)
        }
        reshapedModels = Set(reshaped.map(\.name))
        let renamed = models.map { model in
            (model.name, words?[model.name]?.fields.filter { $0.key != $0.value } ?? [:])
        }
        fieldNames = Dictionary(
            renamed.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the fields that the client saw in a record. `model` is the current name.
    package func view(of model: String, _ ownership: Ownership) -> FieldVisibility {
        former.policy.readPolicy(of: formerName(of: model), for: asker.role)
            .view(of: ownership, for: asker)
    }

    /// Whether the client saw a field of a record that the current version does not have. False if
    /// the former version did not have it either, or the names since then are not known.
    ///
    /// - Parameter name: The one under which values of the field are still stored.
    func showed(stored name: String, of model: String, _ ownership: Ownership) -> Bool {
        let rules = former.model(named: formerName(of: model))
        guard let translation = names?.model(servedAs: model),
            let field = rules?.model.fields.first(where: {
                translation.storedName(ofUnserved: $0.name) == name
            })
        else { return false }
        return view(of: model, ownership).shows(field: field.name)
    }

    private func formerName(of model: String) -> String {
        formerNames[model] ?? names?.clientName(ofStored: model) ?? model
    }

    /// Whether every unchanged record of a model looks the same to an asker as it did.
    func isSame(as present: ReadPolicy, for asker: Asker, of model: String) -> Bool {
        !reshapedModels.contains(model)
            && self.asker.group.hasSameBytes(as: asker.group)
            && former.policy.readPolicy(of: formerName(of: model), for: self.asker.role)
                .renamed(fieldNames[model] ?? [:]) == present
    }

    /// Whether an unchanged record looks the same in both views.
    func isSame(_ former: FieldVisibility, as view: FieldVisibility, of model: String) -> Bool {
        guard !reshapedModels.contains(model) else { return false }
        return (fieldNames[model].map(former.renamed) ?? former) == view
    }
}

extension Rules {
    fileprivate func model(
        formerly model: Model, following names: ClientTranslation?
    ) -> Model? {
        if let name = names?.clientName(ofStored: model.name) {
            return self.model(named: name)?.model
        }
        return ([model.name] + model.renamedFrom).lazy
            .compactMap { self.model(named: $0)?.model }.first
    }
}

extension Model {
    /// Whether the records of both models have the same name and members in messages.
    fileprivate func looks(like other: Model) -> Bool {
        name == other.name && Set(fields.map(\.shape)) == Set(other.fields.map(\.shape))
    }
}

extension Field {
    fileprivate var shape: [String] { [name, type.name.rawValue] }
}
