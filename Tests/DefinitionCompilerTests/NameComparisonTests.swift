import TestKit
import Testing

@testable import DefinitionCompiler

/// Edit distances, compared with the textbook algorithm.
@Suite struct NameComparisonTests {
    @Test(arguments: [
        ("a", "a", 0), ("a", "", 1), ("a", "b", 1), ("ab", "ba", 1), ("kitten", "sitting", 3),
        ("abc", "ca", 3), ("users", "user", 1), ("user", "users", 1), ("role", "rloe", 1),
    ])
    func isNumberOfMistakes(one: String, other: String, distance: Int) throws {
        let comparison = try #require(NameComparison(Array(one.utf8)))
        #expect(comparison.distance(to: other.utf8) == distance)
    }

    @Test func isOfNamesThatFitWord() {
        #expect(NameComparison([]) == nil)
        #expect(NameComparison(Array(repeating: 97, count: 65)) == nil)
        let longest = NameComparison(Array(repeating: 97, count: 64))
        #expect(longest?.distance(to: Array(repeating: 97, count: 60)) == 4)
    }

    @Test(arguments: UInt64(0)..<200)
    func agreesWithTable(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let one = Self.name(1...64, using: &random)
            let other = Self.name(0...70, using: &random)
            let comparison = try #require(NameComparison(one))
            #expect(comparison.distance(to: other) == Self.distance(one, other), "seed \(seed)")
        }
    }

    private static func name(
        _ lengths: ClosedRange<Int>, using random: inout SplitMix64
    ) -> [UInt8] {
        (0..<Int.random(in: lengths, using: &random)).map { _ in
            UInt8.random(in: 97...99, using: &random)
        }
    }

    /// Row by row; a transposition of two neighbours that are not edited otherwise counts as one
    /// edit.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(
                    rows[row][column] + (isSame ? 0 : 1), rows[row][column + 1] + 1,
                    current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, rows[row - 1][column - 1] + 1)
                }
                current.append(cost)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
