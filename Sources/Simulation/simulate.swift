/// A simulated history and its result.
package struct History: Sendable {
    package let seed: UInt64
    /// The steps before the final convergence.
    package let steps: [Step]
    /// Nil if every invariant holds.
    package let violation: InvariantViolation?
    package let counts: HistoryCounts
    /// The stored records in the end, a line for each, without times.
    package let stored: [String]
}

/// Simulates the random history of a seed. The same seed gives the same history.
///
/// - Parameter isWanted: Asked between steps. When it becomes false, the history ends, and nobody
///   looks whether all devices agree.
package func simulate(
    _ scenario: Scenario, seed: UInt64,
    whileWanted isWanted: @escaping @Sendable () -> Bool = { true }
) async -> History {
    var generator = HistoryGenerator(scenario, seed: seed)
    return await run(scenario, seed: seed, isWanted) { number, world in
        number < scenario.steps ? generator.next(in: world) : nil
    }
}

/// Simulates the given steps, such as a part of a history.
package func replay(
    _ steps: [Step], in scenario: Scenario, seed: UInt64,
    whileWanted isWanted: @escaping @Sendable () -> Bool = { true }
) async -> History {
    await run(scenario, seed: seed, isWanted) { number, _ in
        number < steps.count ? steps[number] : nil
    }
}

private func run(
    _ scenario: Scenario, seed: UInt64, _ isWanted: @escaping @Sendable () -> Bool,
    next: (Int, World) -> Step?
) async -> History {
    do throws(InvariantViolation) {
        var world = try await World(scenario, whileWanted: isWanted)
        let (steps, violation) = await world.run(next)
        await world.close()
        return History(
            seed: seed, steps: steps, violation: violation, counts: world.auditor.counts,
            stored: world.auditor.summary)
    } catch {
        return History(seed: seed, steps: [], violation: error, counts: .one, stored: [])
    }
}

extension World {
    /// Runs until the end or the first violation; returns the steps before the final convergence.
    fileprivate mutating func run(
        _ next: (Int, World) -> Step?
    ) async -> (steps: [Step], violation: InvariantViolation?) {
        var steps: [Step] = []
        do throws(InvariantViolation) {
            while isWanted(), let step = next(steps.count, self) {
                steps.append(step)
                try await carryOut(step)
            }
            if isWanted() { try await quiesce() }
            return (steps, nil)
        } catch {
            return (steps, error)
        }
    }
}
