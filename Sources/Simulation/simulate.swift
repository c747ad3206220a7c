/// What was played, and what came of it.
package struct History: Sendable {
    package let seed: UInt64
    /// What happened before everything was left to calm down.
    package let steps: [Step]
    /// Nil where every promise was kept.
    package let broken: BrokenPromise?
    package let tally: Tally
    /// What was stored in the end, a line for each record, without times.
    package let stored: [String]
}

/// Plays a random history: another one for each seed, and the same for the same.
package func simulate(_ setting: Setting, seed: UInt64) async -> History {
    var storyteller = Storyteller(setting, seed: seed)
    return await play(setting, seed: seed) { number, world in
        number < setting.steps ? storyteller.next(in: world) : nil
    }
}

/// Plays given steps, such as a part of those of a history.
package func replay(_ steps: [Step], in setting: Setting, seed: UInt64) async -> History {
    await play(setting, seed: seed) { number, _ in
        number < steps.count ? steps[number] : nil
    }
}

private func play(
    _ setting: Setting, seed: UInt64, next: (Int, World) -> Step?
) async -> History {
    do throws(BrokenPromise) {
        var world = try await World(setting)
        let (steps, broken) = await world.play(next)
        await world.close()
        return History(
            seed: seed, steps: steps, broken: broken, tally: world.ledger.tally,
            stored: world.ledger.inWords)
    } catch {
        return History(seed: seed, steps: [], broken: error, tally: .one, stored: [])
    }
}

extension World {
    /// To the end, or until a promise is broken; gives what has happened before it calms down.
    fileprivate mutating func play(
        _ next: (Int, World) -> Step?
    ) async -> (steps: [Step], broken: BrokenPromise?) {
        var steps: [Step] = []
        do throws(BrokenPromise) {
            while let step = next(steps.count, self) {
                steps.append(step)
                try await carryOut(step)
            }
            try await calmDown()
            return (steps, nil)
        } catch {
            return (steps, error)
        }
    }
}
