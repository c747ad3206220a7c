import Administration
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import ServiceLifecycle
import Simulation
import SyncServer

/// Simulations of a definition that is being designed, whose progress is told as it comes.
extension AdminExchange {
    /// Answers with JSON lines: `progress` after each history, `shrinking` while the shortest
    /// history with a violation is sought, and `end` with the result. The simulation ends with the
    /// connection and with the server.
    func simulate() async throws -> Response {
        let scenario = try scenario()
        let seed = UInt64(try number("seed", in: 0...1_000_000_000))
        let histories = UInt64(try number("histories", in: 1...1000))
        guard let turn = desk.simulations.enter(actor) else {
            throw HTTPFailure.simulationRunning(by: desk.simulations.runner)
        }
        try context.streamAnswer()
        return .text(
            of: "application/jsonl",
            ResponseBody { writer in
                defer { withExtendedLifetime(turn) {} }
                let (lines, source) = AsyncStream.makeStream(
                    of: JSONValue.self, bufferingPolicy: .bufferingNewest(1000))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        defer { source.finish() }
                        try await host.work.run(for: actor, on: context) {
                            await run(scenario, seeds: seed..<seed + histories) {
                                source.yield($0)
                            }
                        }
                    }
                    defer { group.cancelAll() }
                    try await send(lines, to: &writer, until: source)
                }
                try await writer.finish(nil)
            })
    }

    /// Stops with the server.
    private func send(
        _ lines: AsyncStream<JSONValue>, to writer: inout any ResponseBodyWriter,
        until source: AsyncStream<JSONValue>.Continuation
    ) async throws {
        try await withGracefulShutdownHandler {
            for await line in lines {
                try await writer.write(ByteBuffer(string: line.text + "\n"))
                try await context.pace()
            }
        } onGracefulShutdown: {
            source.finish()
        }
    }

    private func scenario() throws -> Scenario {
        let definition = try definition(sent: body.text("xml"))
        let devices = try number("devices", in: 1...20)
        let steps = try number("steps", in: 1...2000)
        guard let scenario = Scenario(definition, clients: devices, steps: steps) else {
            throw HTTPFailure.nothingToSimulate()
        }
        return scenario
    }

    private func number(_ name: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = body.number(name).flatMap({ Int(exactly: $0) }), range.contains(number)
        else {
            throw HTTPFailure.parameterIllegal(
                name, "is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

// MARK: - The run

extension AdminExchange {
    private var isWanted: Bool { !Task.isCancelled && context.isOpen }

    /// Runs histories until one violates an invariant, the time is over, or nobody waits.
    private func run(
        _ scenario: Scenario, seeds: Range<UInt64>, telling tell: (JSONValue) -> Void
    ) async {
        let end = ContinuousClock.now + .seconds(AdministrationLimits.simulationSeconds)
        var counts = HistoryCounts()
        for seed in seeds {
            let history = await Simulation.simulate(
                scenario, seed: seed, whileWanted: { isWanted })
            guard isWanted else { return }
            counts = counts + history.counts
            tell(
                .object([
                    "kind": "progress", "histories": .integer(Int64(counts.histories)),
                    "of": .integer(Int64(seeds.count)),
                ]))
            if history.violation != nil {
                return tell(await violation(history, in: scenario, telling: tell))
            }
            if ContinuousClock.now > end, seed + 1 < seeds.upperBound {
                return tell(success(counts, in: scenario, seeds.lowerBound...seed, isWhole: false))
            }
        }
        let last = max(seeds.lowerBound, seeds.upperBound - 1)
        tell(success(counts, in: scenario, seeds.lowerBound...last, isWhole: true))
    }

    private func success(
        _ counts: HistoryCounts, in scenario: Scenario, _ seeds: ClosedRange<UInt64>, isWhole: Bool
    ) -> JSONValue {
        .object([
            "kind": "end", "violated": .boolean(false), "whole": .boolean(isWhole),
            "histories": .integer(Int64(counts.histories)),
            "text": .string(summary(of: counts, in: scenario, seeds: seeds)),
        ])
    }

    private func violation(
        _ history: History, in scenario: Scenario, telling tell: (JSONValue) -> Void
    ) async -> JSONValue {
        let end = ContinuousClock.now + .seconds(AdministrationLimits.simulationSeconds)
        let shrunk = await shrink(
            history, in: scenario, whileWanted: { isWanted && ContinuousClock.now < end },
            reporting: { steps in
                tell(.object(["kind": "shrinking", "steps": .integer(Int64(steps))]))
            })
        let again =
            "waggle simulate application.xml --clients \(scenario.clients) "
            + "--steps \(scenario.steps) --seed \(history.seed) --seeds 1"
        return .object([
            "kind": "end", "violated": .boolean(true), "seed": .integer(Int64(history.seed)),
            "guarantee": .string(shrunk.violation?.invariant.sentence ?? ""),
            "steps": .array(shrunk.steps.map { .string($0.summary(scenario)) }),
            "finding": .string(shrunk.violation?.finding ?? ""), "again": .string(again),
            "text": .string(report(of: shrunk, from: history, in: scenario, again: again)),
        ])
    }
}

extension HTTPFailure {
    fileprivate static func nothingToSimulate() -> HTTPFailure {
        HTTPFailure(
            .unprocessableContent, "nothingToSimulate", "the definition has no role or no model",
            help: "write who may do what with which records")
    }

    fileprivate static func simulationRunning(by name: String?) -> HTTPFailure {
        HTTPFailure(
            .conflict, "simulationRunning",
            name.map { "a simulation of '\($0)' runs" } ?? "another simulation runs",
            help: "wait for its end, or use 'waggle simulate'",
            details: name.map { ["operator": $0] } ?? [:])
    }
}
