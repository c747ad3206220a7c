/// A pattern as a nondeterministic automaton: it reads the text once, a scalar at a time, and
/// tracks all states that can be reached.
struct PatternProgram: Sendable {
    enum Step {
        /// Reads one scalar, then continues with the next step.
        case read(ScalarClass)
        /// Continues at both steps.
        case fork(Int, Int)
        case jump(Int)
        case end
    }

    private(set) var steps: [Step] = []
    /// The states that can be reached without reading.
    private var start = StateSet(capacity: 0)

    init(_ tree: PatternTree, maxSteps: Int) throws(PatternError) {
        try add(tree, maxSteps: maxSteps)
        steps.append(.end)
        var states = StateSet(capacity: steps.count)
        var open: [Int] = []
        follow(0, into: &states, &open)
        start = states
    }

    private mutating func add(_ tree: PatternTree, maxSteps: Int) throws(PatternError) {
        guard steps.count < maxSteps else {
            throw PatternError(reason: .tooLarge(maxSteps: maxSteps), offset: 0)
        }
        switch tree {
        case .empty: break
        case .scalar(let scalarClass): steps.append(.read(scalarClass))
        case .sequence(let parts):
            for part in parts { try add(part, maxSteps: maxSteps) }
        case .choice(let branches): try add(branches[...], maxSteps: maxSteps)
        case .repetition(let part, let min, let max):
            try add(part, min: min, max: max, maxSteps: maxSteps)
        }
    }

    private mutating func add(
        _ branches: ArraySlice<PatternTree>, maxSteps: Int
    ) throws(PatternError) {
        var jumps: [Int] = []
        for (index, branch) in zip(branches.indices, branches) {
            let fork = steps.count
            let isLast = index == branches.endIndex - 1
            if !isLast { steps.append(.end) }
            try add(branch, maxSteps: maxSteps)
            guard !isLast else { break }
            jumps.append(steps.count)
            steps.append(.end)
            steps[fork] = .fork(fork + 1, steps.count)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    /// Unrolls a repetition: the required copies, then the optional ones. A part that matches the
    /// empty text is added once; repeating it would loop for ever.
    private mutating func add(
        _ part: PatternTree, min: Int, max: Int?, maxSteps: Int
    ) throws(PatternError) {
        for _ in 0..<min {
            let before = steps.count
            try add(part, maxSteps: maxSteps)
            if steps.count == before { return }
        }
        guard let max else { return try addLoop(part, maxSteps: maxSteps) }
        var forks: [Int] = []
        for _ in min..<max {
            forks.append(steps.count)
            steps.append(.end)
            let before = steps.count
            try add(part, maxSteps: maxSteps)
            if steps.count == before { break }
        }
        for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
    }

    private mutating func addLoop(_ part: PatternTree, maxSteps: Int) throws(PatternError) {
        let fork = steps.count
        steps.append(.end)
        try add(part, maxSteps: maxSteps)
        steps.append(.jump(fork))
        steps[fork] = .fork(fork + 1, steps.count)
    }
}

extension PatternProgram {
    /// Nil if the budget has too few steps.
    func matches(
        _ scalars: String.UnicodeScalarView, within budget: inout PatternBudget
    ) -> Bool? {
        var states = start
        guard !scalars.isEmpty else { return states.contains(end) }
        var next = StateSet(capacity: steps.count)
        var open: [Int] = []
        for scalar in scalars {
            guard !states.members.isEmpty else { return false }
            guard budget.take(states.members.count) else { return nil }
            for state in states.members {
                if case .read(let scalarClass) = steps[state], scalarClass.contains(scalar) {
                    follow(state + 1, into: &next, &open)
                }
            }
            swap(&states, &next)
            next.removeAll()
        }
        return states.contains(end)
    }

    /// The last step, which is the only end.
    private var end: Int { steps.count - 1 }

    /// Adds all states that can be reached from `start` without reading. `open` is a buffer, empty
    /// before and after.
    private func follow(_ start: Int, into states: inout StateSet, _ open: inout [Int]) {
        open.append(start)
        while let state = open.popLast() {
            guard states.insert(state) else { continue }
            switch steps[state] {
            case .fork(let first, let second):
                open.append(second)
                open.append(first)
            case .jump(let target): open.append(target)
            case .read, .end: break
            }
        }
    }
}

/// A set of states, in insertion order.
private struct StateSet {
    private(set) var members: [Int] = []
    private var isMember: [Bool]

    init(capacity: Int) {
        isMember = Array(repeating: false, count: capacity)
    }

    func contains(_ state: Int) -> Bool { isMember[state] }

    /// Returns false if the set already contains the state.
    mutating func insert(_ state: Int) -> Bool {
        guard !isMember[state] else { return false }
        isMember[state] = true
        members.append(state)
        return true
    }

    mutating func removeAll() {
        for state in members { isMember[state] = false }
        members.removeAll(keepingCapacity: true)
    }
}
