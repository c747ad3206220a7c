import DefinitionModel
import Simulation
import TestKit

private let apps = Apps()

/// Four devices with the client library; on one of them the app resolves conflicts itself.
///
/// - Parameter evolving: Whether the definition changes, and apps are updated.
func playedScenario(
    for seed: UInt64, evolving: Bool = false, _ mutant: DeviceMutant? = nil
) throws -> Scenario {
    let mode = ConflictMode.allCases[Int(seed % 4)]
    let definition = try yard(
        mode, analyzed: seed % 8 < 4, keysSetByWorkers: mutant?.keysSetByWorkers ?? "OWN")
    let scenario = Scenario(
        definition, clients: 4, steps: 120,
        realClient: { number in
            PlayedDatabase(apps, decisions: number % 3 == 1 ? Decisions() : nil, mutant: mutant)
        }, evolving: evolving)
    guard let scenario else { throw NothingToPlay() }
    return scenario
}

private struct NothingToPlay: Error {}
