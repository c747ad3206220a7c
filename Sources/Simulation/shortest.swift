/// The shortest part of a history that breaks the same promise: without any one of its steps it
/// breaks it no longer. Steps keep their order.
///
/// Parts are left out, first large ones, then ever smaller ones (delta debugging); what is left of
/// the faults is mended where it does not matter.
package func shortest(_ history: History, in setting: Setting) async -> History {
    guard let broken = history.broken else { return history }
    var best = history
    var size = max(1, best.steps.count / 2)
    while true {
        let before = best.steps.count
        best = await shortened(best, by: size, in: setting, breaking: broken.promise)
        if size == 1, best.steps.count == before { break }
        if best.steps.count == before { size = (size + 1) / 2 }
        size = min(size, max(1, best.steps.count / 2))
    }
    return await plainer(best, in: setting, breaking: broken.promise)
}

/// Without the stretches of so many steps that are not needed, looked at from the end.
private func shortened(
    _ history: History, by size: Int, in setting: Setting, breaking promise: Promise
) async -> History {
    var best = history
    var end = best.steps.count
    while end > 0 {
        let start = max(0, end - size)
        let rest = Array(best.steps[..<start] + best.steps[min(end, best.steps.count)...])
        let played = await replay(rest, in: setting, seed: history.seed)
        if played.broken?.promise == promise { best = played }
        end = min(start, best.steps.count)
    }
    return best
}

/// With requests that are simply answered, and drafts of fewer fields.
private func plainer(
    _ history: History, in setting: Setting, breaking promise: Promise
) async -> History {
    var best = history
    var index = 0
    while index < best.steps.count {
        var isPlainest = false
        while !isPlainest {
            isPlainest = true
            for step in best.steps[index].plainer {
                var steps = best.steps
                steps[index] = step
                let played = await replay(steps, in: setting, seed: history.seed)
                guard played.broken?.promise == promise, index < played.steps.count else {
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
    /// The same with less in it, each way that there is.
    fileprivate var plainer: [Step] {
        switch self {
        case .edit(let client, let draft):
            draft.fields.keys.sorted().map { .edit(client: client, draft.without($0)) }
        case .sync(let client, let changes, let limit, let fate):
            [
                .sync(client: client, changes: changes, limit: limit, fate: .answered),
                .sync(client: client, changes: Self.plenty, limit: limit, fate: fate),
                .sync(client: client, changes: changes, limit: Self.plenty, fate: fate),
            ].filter { $0 != self }
        case .appEnds(let client, let write):
            write == 0 ? [] : [.appEnds(client: client, atWrite: 0)]
        case .arrival, .answer, .browse, .resolveAll, .clientClock, .server: []
        }
    }
}

extension Draft {
    fileprivate func without(_ field: String) -> Draft {
        Draft(
            action, model: model, guid: guid,
            fields: fields.filter { $0.key != field }, isReckless: isReckless,
            falseBase: falseBase)
    }
}
