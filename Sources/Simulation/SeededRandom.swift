/// A random number generator that gives the same sequence for a seed on every machine and with
/// every version of Swift.
struct SeededRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A number from 0 up to, but not including, `limit`; 0 if `limit` is below 1.
    mutating func int(below limit: Int) -> Int {
        limit > 1 ? Int(next() % UInt64(limit)) : 0
    }

    /// True with a probability of `percent` in a hundred.
    mutating func chance(_ percent: Int) -> Bool { int(below: 100) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[int(below: elements.count)]
    }

    /// A random subset, in order.
    mutating func some<Element>(of elements: [Element]) -> [Element] {
        var chosen: [Element] = []
        for element in elements where chance(60) { chosen.append(element) }
        return chosen
    }

    /// The SplitMix64 algorithm.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
