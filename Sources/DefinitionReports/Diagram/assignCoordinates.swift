/// The top of each slot, such that lines are as straight as the order in the columns and the
/// minimum gaps allow. The topmost slot is at 0.
///
/// Sweeps over the columns in both directions. Each slot is pulled to where its lines are
/// horizontal; a line through several columns is pulled straight. The positions closest to all
/// targets without overlap are computed exactly, by isotonic regression.
func assignCoordinates(_ layers: LayerGraph) -> [Int] {
    var assignment = CoordinateAssignment(layers)
    for round in 0..<rounds {
        let goesRight = round % 2 == 1
        let indices = Array(layers.columns.indices)
        for index in goesRight ? indices : indices.reversed() {
            assignment.settle(layers.columns[index], goingRight: goesRight)
        }
    }
    return assignment.tops
}

private let rounds = 32

/// Weights of the targets.
private enum Strength {
    /// A line through several columns should be straight before all else.
    static let betweenPassages = 8.0
    static let atPassage = 2.0
    static let betweenBoxes = 1.0
    /// Small compared with a line; keeps the drawing from drifting up or down.
    static let boxToMiddle = 0.08
    static let passageToMiddle = 0.0001
}

private struct CoordinateAssignment {
    private let layers: LayerGraph
    private var y: [Double]
    private var isSettled: [Bool]
    private let pulls: [[Pull]]

    /// The position that a line asks a slot to take.
    private struct Pull {
        let slot: Int
        let isFromLeft: Bool
        /// From the top of the other slot to the top of the pulled slot.
        let difference: Double
        let weight: Double
    }

    init(_ layers: LayerGraph) {
        self.layers = layers
        y = layers.slots.map { _ in 0 }
        isSettled = layers.slots.map { _ in false }
        var pulls = layers.slots.map { _ in [Pull]() }
        for segment in layers.segments.joined() {
            let (left, right) = (segment.left, segment.right)
            let difference = Double(left.y - right.y)
            let weight = layers.weight(of: segment)
            pulls[right.slot].append(
                Pull(slot: left.slot, isFromLeft: true, difference: difference, weight: weight))
            pulls[left.slot].append(
                Pull(slot: right.slot, isFromLeft: false, difference: -difference, weight: weight))
        }
        self.pulls = pulls
        for column in layers.columns { stack(column) }
    }

    var tops: [Int] {
        let top = y.min() ?? 0
        return y.map { Int($0 - top) }
    }

    /// Stacks the slots of a column around the middle.
    private mutating func stack(_ column: [Int]) {
        let offsets = offsets(in: column)
        let height = (offsets.last ?? 0) + Double(column.last.map { layers.slots[$0].height } ?? 0)
        for (slot, offset) in zip(column, offsets) { y[slot] = offset - (height / 2).rounded() }
    }

    /// The minimum distance of each slot from the first.
    private func offsets(in column: [Int]) -> [Double] {
        var offset = 0
        return column.indices.map { index in
            if index > 0 {
                let above = column[index - 1]
                offset += layers.slots[above].height
                offset += layers.gap(between: above, and: column[index])
            }
            return Double(offset)
        }
    }

    /// Columns are stacked around 0.
    private func middle(for slot: Int) -> Double { -Double(layers.slots[slot].height / 2) }

    mutating func settle(_ column: [Int], goingRight: Bool) {
        let offsets = offsets(in: column)
        let targets = column.enumerated().map { index, slot in
            let pulls = pulls(on: slot, goingRight: goingRight)
            let middle = layers.isPassage(slot) ? Strength.passageToMiddle : Strength.boxToMiddle
            let sum = pulls.reduce(self.middle(for: slot) * middle) {
                $0 + (y[$1.slot] + $1.difference) * $1.weight
            }
            let weight = pulls.reduce(middle) { $0 + $1.weight }
            return WeightedTarget(value: sum / weight - offsets[index], weight: weight)
        }
        for (index, value) in isotonicRegression(targets).enumerated() {
            y[column[index]] = (value + 0.5).rounded(.down) + offsets[index]
            isSettled[column[index]] = true
        }
    }

    /// Slots without a position yet do not pull.
    private func pulls(on slot: Int, goingRight: Bool) -> [Pull] {
        let settled = pulls[slot].filter { isSettled[$0.slot] }
        let behind = settled.filter { $0.isFromLeft == goingRight && layers.isPassage($0.slot) }
        return layers.isPassage(slot) && !behind.isEmpty ? behind : settled
    }
}

extension LayerGraph {
    fileprivate func weight(of segment: Segment) -> Double {
        switch (isPassage(segment.left.slot), isPassage(segment.right.slot)) {
        case (true, true): Strength.betweenPassages
        case (true, false), (false, true): Strength.atPassage
        case (false, false): Strength.betweenBoxes
        }
    }
}

private struct WeightedTarget {
    var value: Double
    var weight: Double
}

/// The nondecreasing values with the least weighted sum of squared distances to the targets.
private func isotonicRegression(_ targets: [WeightedTarget]) -> [Double] {
    var blocks: [Block] = []
    for target in targets {
        blocks.append(Block(target: target, count: 1))
        while let joined = pooledIfDecreasing(blocks.suffix(2)) {
            blocks.removeLast(2)
            blocks.append(joined)
        }
    }
    return blocks.flatMap { Array(repeating: $0.target.value, count: $0.count) }
}

/// Adjacent slots with a common value.
private struct Block {
    let target: WeightedTarget
    let count: Int
}

/// The two blocks merged, if the second is below the first.
private func pooledIfDecreasing(_ blocks: ArraySlice<Block>) -> Block? {
    guard blocks.count == 2, let first = blocks.first, let second = blocks.last,
        first.target.value > second.target.value
    else { return nil }
    let weight = first.target.weight + second.target.weight
    let sum = first.target.value * first.target.weight + second.target.value * second.target.weight
    return Block(
        target: WeightedTarget(value: sum / weight, weight: weight),
        count: first.count + second.count)
}
