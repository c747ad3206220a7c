import DefinitionModel
import JSON
import Simulation
import SyncEngine
import SyncProtocol
import VersionTranslation

// Mutations of what happens while definitions change from version to version.

extension Mutant {
    /// A mutant in histories of definitions that change.
    private init(
        _ description: String, evolving breaks: Set<Invariant>,
        _ mutation: (inout Mutation) -> Void
    ) {
        self.init(description, breaks: breaks, mutation)
        isEvolving = true
    }

    /// The same with a false store.
    private init(
        _ description: String, evolving breaks: Set<Invariant>,
        lying: @escaping @Sendable (inout LyingStore) -> Void
    ) {
        self.init(description, breaks: breaks, lying: lying)
        isEvolving = true
    }

    static let evolution = apps + updates + deployments

    private static let apps = [
        Mutant(
            "a translation forgets all renamings but the last",
            evolving: [
                .deviceAndServerAgree, .everybodyGetsWhatIsStored, .oldAndFreshAgree,
                .nobodyGetsWhatIsNotTheirs, .goneFieldsAreRefusedByName,
            ]
        ) { mutation in
            mutation.client = { engine, version in
                engine.serving(client: version).map { client in
                    let (own, served) = (client.translation.client, client.translation.served)
                    return engine.serving(
                        ClientTranslation(of: own, along: VersionPath(from: own, to: served)))
                }
            }
        },
        Mutant(
            "values of fields that are gone are left out in silence",
            evolving: [.nothingAcknowledgedIsLost]
        ) { mutation in
            mutation.said = { request, client in
                var request = request
                for index in request.changes.indices {
                    let model = client.translation.model(
                        calledByClient: request.changes[index].model)
                    for field in model?.unserved ?? [] {
                        request.changes[index].fields[field.name] = nil
                    }
                }
                return request
            }
        },
        Mutant(
            "a field that an app does not know is emptied by its changes",
            evolving: [.nothingAcknowledgedIsLost]
        ) { store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { $0.emptyAddedFields(unlessToldOf: facts) }
            }
        },
        Mutant(
            "decimals are cut", evolving: [.everybodyGetsWhatIsStored, .timesTellWhatIsSeen]
        ) { store in
            store.page = { $0.withoutFractions }
        },
    ]

    private static let updates = [
        Mutant("an update drops unsent edits", evolving: [.clientKeepsWhatIsSaved]) { mutation in
            mutation.updated = { _ in [] }
        },
        Mutant(
            "deployments and updates let devices start over",
            evolving: [.updatesDownloadNothingAgain]
        ) { mutation in
            mutation.knowsCursors = false
        },
    ]

    private static let deployments = [
        Mutant(
            "what is stored is not renamed",
            evolving: [.nothingAcknowledgedIsLost]
        ) { mutation in
            mutation.deployment = { definition in
                definition.changingModels { model in
                    Model(
                        name: model.name, conflictMode: model.conflictMode,
                        fields: model.fields.map { $0.renamed(from: []) },
                        credentials: model.credentials, place: model.place)
                }
            }
        },
        Mutant(
            "whole numbers stay what they are where decimals are due",
            evolving: [.everybodyGetsWhatIsStored]
        ) { mutation in
            mutation.earlier = { earlier, new in earlier.assumingTypes(of: new) }
        },
        Mutant(
            "the engine forgets the names that a version has back",
            evolving: [
                .deviceAndServerAgree, .everyAppIsUnderstood, .everybodyGetsWhatIsStored,
                .nobodyGetsWhatIsNotTheirs,
            ]
        ) { mutation in
            mutation.knowsNamesBack = false
        },
        Mutant(
            "the engine forgets what deployments bring",
            evolving: [.deviceAndServerAgree, .deploymentsFillWhatIsMissing]
        ) { mutation in
            mutation.knowsFills = false
        },
    ]
}

extension Definition {
    /// With the types that fields of the same names have in a later version.
    fileprivate func assumingTypes(of later: Definition) -> Definition {
        changingModels { model in
            let known = later.models.first { $0.name == model.name }?.fields ?? []
            return model.changed(
                fields: model.fields.map { field in
                    known.first { $0.name == field.name }.map { field.of($0.type) } ?? field
                })
        }
    }
}

extension Field {
    fileprivate func of(_ type: FieldType) -> Field {
        Field(
            name: name, description: description, renamedFrom: renamedFrom, type: type,
            isRequired: isRequired, isUnique: isUnique, defaultValue: nil,
            credentials: credentials, writtenOptions: [], writtenDefault: nil, place: place)
    }
}

extension WriteSet {
    /// Removes the values of fields that versions have added, from records of which the history
    /// tells another change.
    fileprivate mutating func emptyAddedFields(unlessToldOf facts: Facts) {
        for index in records.indices where facts.records[records[index].guid] != nil {
            let told = history.filter { $0.guid == records[index].guid }.map(\.fieldsText)
            guard !told.contains(where: { $0.contains("more") }) else { continue }
            records[index] = records[index].changingValues { name, value in
                name.hasPrefix("more") ? .null : value
            }
        }
    }
}

extension Page {
    fileprivate var withoutFractions: Page {
        changingRecords { record in
            record.changingValues { _, value in
                guard case .string(let text) = value, DecimalNumber(text) != nil else {
                    return value
                }
                return .string(String(text.prefix { $0 != "." }))
            }
        }
    }
}
