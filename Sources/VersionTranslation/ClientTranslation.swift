import AccessPolicy
package import ChangeRules
package import DefinitionModel

/// Translates between the names and values of a client's version and those of the served one.
///
/// It does not decide on rights, which are those of the served definition.
package struct ClientTranslation: Sendable {
    /// The version that the client was built with.
    package let client: Definition
    package let served: Definition
    /// The rights of the client's version, which tell whether a field that is not served would be
    /// null or absent.
    let clientPolicy: Policy
    private let byClientName: [String: ModelTranslation]
    private let byServedName: [String: ModelTranslation]
    /// The client's models that are not served, by the names under which their records are stored.
    private let goneModels: [String: String]

    package init(of client: Definition, along path: VersionPath) {
        let served = path.end ?? client
        self.client = client
        self.served = served
        clientPolicy = Policy(client)
        let names = FollowedNames(of: client, along: path).models
        let newNames = names.mapValues(\.name)
        let pairs = client.models.compactMap { model in
            names[model.name].flatMap { followed in
                served.model(named: followed.name).map {
                    ModelTranslation(
                        client: model, served: $0, names: followed.fields, models: newNames)
                }
            }
        }
        byServedName = unique(pairs, by: { ($0.client.name, $0.served.name) })
        byClientName = Dictionary(
            byServedName.values.map { ($0.client.name, $0) },
            uniquingKeysWith: { first, _ in first })
        goneModels = Dictionary(
            client.models.compactMap { model in
                names[model.name].flatMap { followed in
                    served.model(named: followed.name) == nil ? (followed.name, model.name) : nil
                }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The client's name of the model of records that it may hold. Nil for a model that it does not
    /// know.
    package func clientName(ofStored model: String) -> String? {
        byServedName[model]?.client.name ?? goneModels[model]
    }

    /// Nil for a model that is not served, and for one that the client does not have.
    package func model(calledByClient name: String) -> ModelTranslation? { byClientName[name] }

    /// Nil for a model that the client does not know.
    package func model(servedAs name: String) -> ModelTranslation? { byServedName[name] }

    /// By served model, the fields with a rule that the client does not know to be required.
    package func fillable(by fills: FillRules) -> [String: Set<String>] {
        guard !fills.isEmpty else { return [:] }
        var fillable: [String: Set<String>] = [:]
        for model in byServedName.values {
            let ruled = fills.fields(ofModel: model.served.name)
            let names = model.served.fields.map { ($0.name, $0.isRequired) }.filter {
                $1 && ruled.contains($0)
                    && !(model.field(servedAs: $0)?.client.isRequired ?? false)
            }
            if !names.isEmpty { fillable[model.served.name] = Set(names.map(\.0)) }
        }
        return fillable
    }

    /// Names what clients of one version know of another. No fingerprint contains the separator.
    package static func fingerprint(of served: String, for client: String) -> String {
        "\(served)~\(client)"
    }

    /// The two names in such a fingerprint; nil for that of one version.
    package static func names(in fingerprint: String) -> (served: String, client: String)? {
        let parts = fingerprint.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }
}
