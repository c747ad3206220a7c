extension SplitMix64 {
    package mutating func flip() -> Bool { next() & 1 == 0 }

    /// A random element; nil if there are none.
    package mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    /// A random subset in random order.
    package mutating func some<Element>(of elements: [Element]) -> [Element] {
        elements.shuffled(using: &self).filter { _ in flip() }
    }

    package mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    package mutating func number(in range: Range<Int>) -> Int {
        Int.random(in: range, using: &self)
    }
}
