import ChangeRules
import TestKit
import Testing

@Suite struct TextSearchTests {
    /// All texts and parts of two letters, compared with a search at each position.
    @Test func everyShortPartIsFoundWhereItBegins() {
        let texts = (0...8).flatMap(words)
        for part in (0...4).flatMap(words) {
            let search = TextSearch(for: part)
            for text in texts {
                for start in 0...text.count {
                    let expected = (start...max(start, text.count)).first {
                        text[$0...].starts(with: part)
                    }
                    #expect(search.firstIndex(in: text, from: start) == expected)
                }
            }
        }
    }

    private func words(_ length: Int) -> [[Unicode.Scalar]] {
        (0..<1 << length).map { number in
            (0..<length).map { number >> $0 & 1 == 0 ? "a" : "é" }
        }
    }
}
