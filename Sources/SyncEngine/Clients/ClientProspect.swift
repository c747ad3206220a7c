import ChangeRules
package import DefinitionModel
import VersionTranslation

/// The effect of a deployment on the clients of a version.
package struct ClientProspect: Hashable, Sendable {
    package enum Effect: String, Hashable, Sendable, CaseIterable {
        /// Their version is the one to deploy.
        case same
        /// They continue, in the words of their own version.
        case translated
        /// They continue, but values of some fields or models are refused.
        case refused
        /// They create no records of some models until they are updated.
        case mustUpdate
    }

    package let effect: Effect
    /// The fields, as `Film.score`, and models of which values are refused, in the client's words;
    /// for `mustUpdate` the required fields that it cannot know, and those that are gone and that
    /// it sets in every new record.
    package let subjects: [String]

    fileprivate init(lost: [String], needed: [String]) {
        effect = !needed.isEmpty ? .mustUpdate : lost.isEmpty ? .translated : .refused
        subjects = needed.isEmpty ? lost : needed
    }

    fileprivate init(_ effect: Effect) {
        self.effect = effect
        subjects = []
    }
}

extension Deployment {
    /// Tells what the deployment means for clients of a version, which need not have been deployed
    /// here. Nil are clients that name no version: they are answered in the words of the deployed
    /// one.
    package func prospect(of client: Definition?) -> ClientProspect {
        guard let client else { return unnamed }
        guard client.fingerprint != definition.fingerprint else { return ClientProspect(.same) }
        let all = versions.map(\.definition) + [definition]
        let path =
            VersionPath(from: client.fingerprint, to: definition.fingerprint, along: all)
            ?? VersionPath(from: client, to: definition)
        let translation = ClientTranslation(of: client, along: path)
        let fills = FillRules(
            of: versions + [
                DeployedDefinition(definition, sequence: nil, fill: DeploymentFill(fills))
            ])
        var (lost, needed): ([String], [String]) = ([], [])
        for model in client.models {
            guard let words = translation.model(calledByClient: model.name) else {
                lost.append(model.name)
                continue
            }
            let filled = fills.fields(ofModel: words.served.name)
            lost += model.fields.filter { field in
                words.field(calledByClient: field.name).map {
                    field.allowsMore(than: $0.served, isFilled: filled.contains($0.served.name))
                } ?? true
            }.map { "\(model.name).\($0.name)" }
            needed += words.unserved.filter(\.isNeeded).map { "\(model.name).\($0.name)" }
            needed += words.served.fields.filter {
                $0.isNeeded && words.field(servedAs: $0.name) == nil && !filled.contains($0.name)
            }.map { "\(words.served.name).\($0.name)" }
        }
        return ClientProspect(lost: lost, needed: needed)
    }

    /// Without a translation, names count as they are.
    private var unnamed: ClientProspect {
        guard let present = versions.last?.definition,
            present.fingerprint != definition.fingerprint
        else { return ClientProspect(.same) }
        var (lost, needed): ([String], [String]) = ([], [])
        for model in present.models {
            guard let next = definition.models.first(where: { $0.name == model.name }) else {
                lost.append(model.name)
                continue
            }
            let known = { (field: Field) in
                next.fields.first {
                    $0.name == field.name && $0.type.name == field.type.name
                        && $0.type.targetModel == field.type.targetModel
                }
            }
            lost += model.fields.filter { field in
                known(field).map { field.allowsMore(than: $0, isFilled: false) } ?? true
            }.map { "\(model.name).\($0.name)" }
            needed += model.fields.filter { $0.isNeeded && known($0) == nil }
                .map { "\(model.name).\($0.name)" }
            needed += next.fields.filter { field in
                field.isNeeded && !model.fields.contains { $0.name == field.name }
            }.map { "\(model.name).\($0.name)" }
        }
        return ClientProspect(lost: lost, needed: needed)
    }
}

extension Field {
    /// Whether who creates a record has to give it a value.
    fileprivate var isNeeded: Bool { isRequired && defaultValue == nil }

    /// Whether a client with this field may send values that the served one does not take.
    ///
    /// - Parameter isFilled: Whether a rule gives new records a value that they lack.
    fileprivate func allowsMore(than served: Field, isFilled: Bool) -> Bool {
        !isUnique && served.isUnique
            || !isRequired && served.isRequired && !isFilled
            || type.name == .decimal && served.type.name == .integer
            || limitChanges(from: type, to: served.type).contains(where: \.isTighter)
    }
}
