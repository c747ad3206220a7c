import Simulation
import SyncEngine

// Mutations of the service of apps of earlier versions.

extension Mutant {
    /// A mutant that serves earlier apps in another way.
    private init(
        _ description: String, breaks: Set<Invariant>,
        serving: @escaping @Sendable (_ engine: Engine, _ version: String) -> ClientEngine?
    ) {
        self.init(description, breaks: breaks) { $0.client = serving }
        hasEarlierApps = true
    }

    /// A mutant that serves clients of earlier versions by time in another way.
    private init(
        _ description: String,
        tellingByTime words:
            @escaping @Sendable (_ engine: Engine, _ version: String) ->
            ClientEngine?
    ) {
        self.init(description, breaks: [.timesTellWhatIsSeen]) { $0.words = words }
        hasEarlierApps = true
    }

    static let versions = [
        Mutant(
            "earlier apps are taken for those of now",
            breaks: [.everyAppIsUnderstood, .deviceAndServerAgree]
        ) { _, _ in nil },
        Mutant(
            "it is not recorded what an earlier app does not know",
            breaks: [.oldAndFreshAgree, .everybodyGetsWhatIsStored, .everyRequestIsAnswered]
        ) { engine, version in
            engine.serving(client: version).map {
                ClientEngine(engine: engine, translation: $0.translation)
            }
        },
        Mutant(
            "earlier apps are shown what they do not know",
            breaks: [.everyAppIsUnderstood, .nobodyGetsWhatIsNotTheirs]
        ) { engine, version in
            engine.serving(client: version).map {
                ClientEngine(
                    engine: engine, translation: $0.translation.knowingEverything)
            }
        },
        Mutant(
            "a field is taken for another",
            breaks: [
                .everybodyGetsWhatIsStored, .nothingAcknowledgedIsLost, .deviceAndServerAgree,
                .nobodyGetsWhatIsNotTheirs,
            ]
        ) { engine, version in
            engine.serving(client: version).map {
                ClientEngine(engine: $0.engine, translation: $0.translation.exchangingTexts)
            }
        },
        Mutant("clients that know a time are told of another field") { engine, version in
            engine.serving(client: version).map {
                ClientEngine(engine: $0.engine, translation: $0.translation.exchangingTexts)
            }
        },
        Mutant("clients that know a time are told what their app does not know") {
            engine, version in
            engine.serving(client: version).map {
                ClientEngine(engine: engine, translation: $0.translation.knowingEverything)
            }
        },
    ]
}
