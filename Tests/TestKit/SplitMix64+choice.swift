extension SplitMix64 {
    package mutating func flip() -> Bool { next() & 1 == 0 }

    /// One of them; nil when there are none.
    package mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    /// Each of them or not, in a random order.
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
