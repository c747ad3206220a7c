/// Numbers that a seed repeats, on every machine and with every version of Swift.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// One of so many, from 0; 0 where there are none.
    mutating func roll(_ sides: Int) -> Int {
        sides > 1 ? Int(next() % UInt64(sides)) : 0
    }

    /// True in so many of a hundred.
    mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[roll(elements.count)]
    }

    /// Each of them or not.
    mutating func some<Element>(of elements: [Element]) -> [Element] {
        var chosen: [Element] = []
        for element in elements where chance(60) { chosen.append(element) }
        return chosen
    }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
