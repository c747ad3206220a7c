import ArgumentParser
import Foundation
import Simulation

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate random devices with a definition, and check every guarantee.",
        discussion: """
            Devices of several users edit records, offline for long, while requests and responses \
            are lost, delayed or duplicated, clocks jump, the server restarts, users change \
            groups, records change owners, rights change, and old deletions are purged. At the \
            end, devices are compared with a fresh one, confirmed changes with stored data, and \
            delivered data with the rights. No file, clock or network is used, so a seed always \
            gives the same history.

              waggle simulate application.xml
              waggle simulate application.xml --clients 8 --steps 500 --seed 1 --seeds 1000

            A violation is reported with its seed and the shortest history with the same \
            violation. The exit code is 0 without violations, and 1 with one.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("Devices, from 1 to 100.", valueName: "n"))
    var clients = 8

    @Option(help: ArgumentHelp("Steps of each history, from 1 to 100000.", valueName: "n"))
    var steps = 500

    @Option(help: ArgumentHelp("The first seed.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Histories, each with the next seed.", valueName: "n"))
    var seeds: UInt64 = 100

    @Option(
        help: ArgumentHelp(
            "Histories at the same time; by default one for each processor.", valueName: "n"))
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws {
        guard (1...100).contains(clients) else {
            throw ValidationError("give --clients a number from 1 to 100")
        }
        guard (1...100_000).contains(steps) else {
            throw ValidationError("give --steps a number from 1 to 100000")
        }
        guard seeds > 0, !seed.addingReportingOverflow(seeds).overflow else {
            throw ValidationError("give --seeds a number from 1, and less where --seed is large")
        }
        guard jobs > 0 else { throw ValidationError("give --jobs a number from 1") }
    }

    func run() async throws {
        let definition = try DefinitionFile(file, within: try limits.limits()).definition
        guard let scenario = Scenario(definition, clients: clients, steps: steps) else {
            throw ToolFailure(
                .inputAtFault, "there is nothing to simulate: '\(file)' has no role or no model",
                help: "write who may do what with which records")
        }
        let (counts, violation) = await runHistories(of: scenario)
        guard let violation else {
            return Terminal.write(
                summary(of: counts, in: scenario, seeds: seed...seed + (seeds - 1)))
        }
        Terminal.printMessage(
            "seed \(violation.seed) violates a guarantee; looking for the shortest history")
        let again =
            "waggle simulate \(file) --clients \(clients) --steps \(steps) "
            + "--seed \(violation.seed) --seeds 1"
        let progress = Progress("steps of the shortest history so far")
        progress.show(violation.steps.count)
        let shrunk = await shrink(
            violation, in: scenario, whileWanted: { !Task.isCancelled },
            reporting: { progress.show($0) })
        progress.end()
        Terminal.write(report(of: shrunk, from: violation, in: scenario, again: again))
        throw ExitCode(ToolFailure.Kind.inputAtFault.exitCode)
    }

    /// Runs histories until one violates an invariant. If several do so at once, returns
    /// that with the lowest seed.
    private func runHistories(
        of scenario: Scenario
    ) async -> (counts: HistoryCounts, violation: History?) {
        let progress = Progress("histories", of: seeds)
        progress.show(0)
        defer { progress.end() }
        return await withTaskGroup(of: History.self) { group in
            var next = seed
            var counts = HistoryCounts()
            var violation: History?
            for _ in 0..<jobs where next < seed + seeds {
                group.addTask { [next] in await simulate(scenario, seed: next) }
                next += 1
            }
            for await history in group {
                counts = counts + history.counts
                progress.show(counts.histories)
                if history.violation != nil, history.seed < violation?.seed ?? .max {
                    violation = history
                }
                guard violation == nil, next < seed + seeds else { continue }
                group.addTask { [next] in await simulate(scenario, seed: next) }
                next += 1
            }
            return (counts, violation)
        }
    }
}
