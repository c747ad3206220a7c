/// The top of every slot, so that lines are as level as the order in the columns and the gaps
/// allow; the topmost is at 0.
///
/// Column by column, and back again, each slot wants to be where its lines are level; a line that
/// passes several columns wants to go straight on. What is nearest to all wishes without an overlap
/// is found exactly, as in an isotonic regression.
func levelled(_ lattice: Lattice) -> [Int] {
    var levels = Levels(lattice)
    for round in 0..<rounds {
        let goesRight = round % 2 == 1
        let indices = Array(lattice.columns.indices)
        for index in goesRight ? indices : indices.reversed() {
            levels.settle(lattice.columns[index], goingRight: goesRight)
        }
    }
    return levels.tops
}

private let rounds = 32

/// How much a wish counts.
private enum Strength {
    /// A line that passes columns shall above all be straight.
    static let betweenPassages = 8.0
    static let atPassage = 2.0
    static let betweenBoxes = 1.0
    /// Little beside a line; keeps the drawing from climbing or falling along its lines.
    static let boxToMiddle = 0.08
    static let passageToMiddle = 0.0001
}

private struct Levels {
    private let lattice: Lattice
    private var y: [Double]
    private var isSettled: [Bool]
    private let pulls: [[Pull]]

    /// Where a line wants a slot to be.
    private struct Pull {
        let slot: Int
        let isFromLeft: Bool
        /// From the top of the other slot to that of the one that is pulled.
        let difference: Double
        let weight: Double
    }

    init(_ lattice: Lattice) {
        self.lattice = lattice
        y = lattice.slots.map { _ in 0 }
        isSettled = lattice.slots.map { _ in false }
        var pulls = lattice.slots.map { _ in [Pull]() }
        for segment in lattice.segments.joined() {
            let (left, right) = (segment.left, segment.right)
            let difference = Double(left.y - right.y)
            let weight = lattice.weight(of: segment)
            pulls[right.slot].append(
                Pull(slot: left.slot, isFromLeft: true, difference: difference, weight: weight))
            pulls[left.slot].append(
                Pull(slot: right.slot, isFromLeft: false, difference: -difference, weight: weight))
        }
        self.pulls = pulls
        for column in lattice.columns { stack(column) }
    }

    var tops: [Int] {
        let top = y.min() ?? 0
        return y.map { Int($0 - top) }
    }

    /// One below the other, around the middle.
    private mutating func stack(_ column: [Int]) {
        let offsets = offsets(in: column)
        let height = (offsets.last ?? 0) + Double(column.last.map { lattice.slots[$0].height } ?? 0)
        for (slot, offset) in zip(column, offsets) { y[slot] = offset - (height / 2).rounded() }
    }

    /// How far below the first slot the others are at least.
    private func offsets(in column: [Int]) -> [Double] {
        var offset = 0
        return column.indices.map { index in
            if index > 0 {
                let above = column[index - 1]
                offset += lattice.slots[above].height
                offset += lattice.gap(between: above, and: column[index])
            }
            return Double(offset)
        }
    }

    /// Columns are stacked around 0.
    private func middle(for slot: Int) -> Double { -Double(lattice.slots[slot].height / 2) }

    mutating func settle(_ column: [Int], goingRight: Bool) {
        let offsets = offsets(in: column)
        let wishes = column.enumerated().map { index, slot in
            let pulls = pulls(on: slot, goingRight: goingRight)
            let middle = lattice.isPassage(slot) ? Strength.passageToMiddle : Strength.boxToMiddle
            let sum = pulls.reduce(self.middle(for: slot) * middle) {
                $0 + (y[$1.slot] + $1.difference) * $1.weight
            }
            let weight = pulls.reduce(middle) { $0 + $1.weight }
            return Wish(value: sum / weight - offsets[index], weight: weight)
        }
        for (index, value) in ascending(wishes).enumerated() {
            y[column[index]] = (value + 0.5).rounded(.down) + offsets[index]
            isSettled[column[index]] = true
        }
    }

    /// Slots that have not been settled do not pull.
    private func pulls(on slot: Int, goingRight: Bool) -> [Pull] {
        let settled = pulls[slot].filter { isSettled[$0.slot] }
        let behind = settled.filter { $0.isFromLeft == goingRight && lattice.isPassage($0.slot) }
        return lattice.isPassage(slot) && !behind.isEmpty ? behind : settled
    }
}

extension Lattice {
    fileprivate func weight(of segment: Segment) -> Double {
        switch (isPassage(segment.left.slot), isPassage(segment.right.slot)) {
        case (true, true): Strength.betweenPassages
        case (true, false), (false, true): Strength.atPassage
        case (false, false): Strength.betweenBoxes
        }
    }
}

private struct Wish {
    var value: Double
    var weight: Double
}

/// Values that never fall, with the least sum of squared differences from the wishes.
private func ascending(_ wishes: [Wish]) -> [Double] {
    var blocks: [Block] = []
    for wish in wishes {
        blocks.append(Block(wish: wish, count: 1))
        while let joined = joinedIfFalling(blocks.suffix(2)) {
            blocks.removeLast(2)
            blocks.append(joined)
        }
    }
    return blocks.flatMap { Array(repeating: $0.wish.value, count: $0.count) }
}

/// Neighbours that are to have the same value.
private struct Block {
    let wish: Wish
    let count: Int
}

/// One of two, if the second is below the first.
private func joinedIfFalling(_ blocks: ArraySlice<Block>) -> Block? {
    guard blocks.count == 2, let first = blocks.first, let second = blocks.last,
        first.wish.value > second.wish.value
    else { return nil }
    let weight = first.wish.weight + second.wish.weight
    let sum = first.wish.value * first.wish.weight + second.wish.value * second.wish.weight
    return Block(
        wish: Wish(value: sum / weight, weight: weight), count: first.count + second.count)
}
