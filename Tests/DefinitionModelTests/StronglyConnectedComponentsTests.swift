import TestKit
import Testing

@testable import DefinitionModel

@Suite("Strongly connected components")
struct StronglyConnectedComponentsTests {
    @Test(
        arguments: [
            ([], []), ([[]], [[0]]), ([[0]], [[0]]), ([[1], []], [[1], [0]]),
            ([[1], [0]], [[0, 1]]), ([[1], [2], [1, 3], []], [[3], [1, 2], [0]]),
            ([[], [0, 0]], [[0], [1]]),
        ] as [([[Int]], [[Int]])])
    func smallGraphsHaveTheirComponents(successors: [[Int]], components: [[Int]]) {
        #expect(stronglyConnectedComponents(of: successors) == components)
    }

    /// Two nodes are in one component if each reaches the other, and no component reaches a later
    /// one.
    @Test(arguments: UInt64(0)..<200)
    func componentsOfRandomGraphsAgreeWithReachability(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = random.number(in: 1...9)
        let successors = (0..<count).map { _ in
            (0..<random.number(in: 0...3)).map { _ in random.number(in: 0..<count) }
        }
        let reached = (0..<count).map { reachable(from: $0, successors) }
        let components = stronglyConnectedComponents(of: successors)
        #expect(components.flatMap(\.self).sorted() == Array(0..<count))
        for (place, component) in components.enumerated() {
            for node in component {
                let own = (0..<count).filter { other in
                    reached[node].contains(other) && reached[other].contains(node)
                }
                #expect(own == component)
                let later = Set(components.dropFirst(place + 1).flatMap(\.self))
                #expect(reached[node].isDisjoint(with: later))
            }
        }
    }

    private func reachable(from start: Int, _ successors: [[Int]]) -> Set<Int> {
        var found: Set = [start]
        var next = [start]
        while let node = next.popLast() {
            for target in successors[node] where found.insert(target).inserted {
                next.append(target)
            }
        }
        return found
    }

    /// A path as long as this ends the process if each node takes a frame of the stack.
    @Test func longPathNeedsNoRecursion() {
        let count = 100_000
        let successors = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
        let components = stronglyConnectedComponents(of: successors)
        #expect(components.count == count && components.first == [count - 1])
    }
}

@Suite("Texts that are compared by bytes")
struct ByteKeyTests {
    /// Canonically equivalent texts are equal as `String`s.
    @Test func areDistinct() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(ByteKey("\u{E9}") != ByteKey("e\u{301}"))
        #expect(Set(["\u{E9}", "e\u{301}"].map { ByteKey($0) }).count == 2)
    }

    @Test func areOrderedByBytes() {
        let texts = ["", "a", "ab", "b", "e\u{301}", "z", "\u{E9}", "\u{FFFD}", "\u{1F600}"]
        #expect(texts.reversed().map { ByteKey($0) }.sorted() == texts.map { ByteKey($0) })
    }
}
