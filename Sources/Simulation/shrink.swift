/// A shortest part of a history that violates the same invariant: every step of it is needed. The
/// order of the steps is kept.
///
/// Returns the shortest history so far when `isWanted` becomes false.
///
/// Removes steps in large chunks first, then in ever smaller ones (delta debugging); then
/// simplifies the remaining steps where possible.
///
/// - Parameter progress: Receives the number of steps of the shortest history so far.
package func shrink(
    _ history: History, in scenario: Scenario,
    whileWanted isWanted: @escaping @Sendable () -> Bool = { true },
    reporting progress: (_ steps: Int) -> Void = { _ in }
) async -> History {
    guard let violation = history.violation else { return history }
    var best = history
    var size = max(1, best.steps.count / 2)
    while isWanted() {
        let before = best.steps.count
        best = await withoutNeedlessSteps(
            best, by: size, in: scenario, breaking: violation.invariant, isWanted)
        progress(best.steps.count)
        if size == 1, best.steps.count == before { break }
        if best.steps.count == before { size = (size + 1) / 2 }
        size = min(size, max(1, best.steps.count / 2))
    }
    return await simplified(best, in: scenario, breaking: violation.invariant, isWanted)
}

/// Removes chunks of `size` steps that are not needed, from the end.
private func withoutNeedlessSteps(
    _ history: History, by size: Int, in scenario: Scenario, breaking invariant: Invariant,
    _ isWanted: @escaping @Sendable () -> Bool
) async -> History {
    var best = history
    var end = best.steps.count
    while end > 0, isWanted() {
        let start = max(0, end - size)
        let rest = Array(best.steps[..<start] + best.steps[min(end, best.steps.count)...])
        let played = await replay(
            rest, in: scenario, seed: history.seed, whileWanted: isWanted)
        if played.violation?.invariant == invariant { best = played }
        end = min(start, best.steps.count)
    }
    return best
}

/// Removes faults and fields that are not needed.
private func simplified(
    _ history: History, in scenario: Scenario, breaking invariant: Invariant,
    _ isWanted: @escaping @Sendable () -> Bool
) async -> History {
    var best = history
    var index = 0
    while index < best.steps.count, isWanted() {
        var isPlainest = false
        while !isPlainest {
            isPlainest = true
            for step in best.steps[index].simplified {
                var steps = best.steps
                steps[index] = step
                let played = await replay(
                    steps, in: scenario, seed: history.seed, whileWanted: isWanted)
                guard played.violation?.invariant == invariant, index < played.steps.count else {
                    continue
                }
                best = played
                isPlainest = false
                break
            }
        }
        index += 1
    }
    return best
}

extension Step {
    /// Simpler versions of the step.
    fileprivate var simplified: [Step] {
        switch self {
        case .edit(let client, let draft):
            draft.fields.keys.sorted().map { .edit(client: client, draft.without($0)) }
        case .sync(let client, let changes, let limit, let fault):
            [
                .sync(client: client, changes: changes, limit: limit, fault: .answered),
                .sync(client: client, changes: Self.largePage, limit: limit, fault: fault),
                .sync(client: client, changes: changes, limit: Self.largePage, fault: fault),
            ].filter { $0 != self }
        case .appEnds(let client, let write):
            write == 0 ? [] : [.appEnds(client: client, atWrite: 0)]
        case .server(.evolve(let changes, let forgetsNames)):
            changes.simplified.map { .server(.evolve($0, forgetsNames: forgetsNames)) }
        case .server(.prepare(let changes, let forgetsNames)):
            changes.simplified.map { .server(.prepare($0, forgetsNames: forgetsNames)) }
        case .request(let client, let request):
            request.simplified.map { .request(client: client, $0) }
        case .deletedRow(let client, let row):
            row.fields.keys.sorted().map { .deletedRow(client: client, row.without($0)) }
        case .arrival, .answer, .browse, .resolveAll, .clientClock, .appUpdate, .appIsAhead,
            .newDevice, .server, .foreign:
            []
        }
    }
}

extension [Evolution] {
    /// The same without one of several changes.
    fileprivate var simplified: [[Evolution]] {
        guard count > 1 else { return [] }
        return indices.map { place in
            var rest = self
            rest.remove(at: place)
            return rest
        }
    }
}

extension ForeignRequest {
    /// The same without one of several questions, or without one part.
    fileprivate var simplified: [ForeignRequest] {
        questions.indices.flatMap { place in
            let question = questions[place]
            let fewerParts = question.parts.indices.map { number in
                var parts = question.parts
                parts.remove(at: number)
                return [question.with(parts)]
            }
            let none: [[ForeignQuestion]] = questions.count > 1 ? [[]] : []
            return (none + fewerParts).map { rest in
                var all = questions
                all.replaceSubrange(place...place, with: rest)
                return ForeignRequest(number: number, questions: all)
            }
        }
    }
}

extension Draft {
    fileprivate func without(_ field: String) -> Draft {
        Draft(
            action, model: model, guid: guid,
            fields: fields.filter { $0.key != field }, isUnchecked: isUnchecked,
            falseBase: falseBase)
    }
}
