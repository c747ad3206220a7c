import JSON
import Testing

@Suite("Pairs of a query")
struct QueryPairsTests {
    @Test(
        arguments: [
            ("", []), ("a=1", ["a=1"]), ("a=1&b=2&a=3", ["a=1", "b=2", "a=3"]), ("a", ["a="]),
            ("a=", ["a="]), ("=1", ["=1"]), ("=", ["="]), ("&&a=1&", ["a=1"]),
            ("where={\"a\"=1}", ["where={\"a\"=1}"]), ("a%3D=%26&b+c=d", ["a%3D=%26", "b+c=d"]),
            // A combining character follows '&' and '='.
            ("a=\u{301}&\u{301}b=1", ["a=\u{301}", "\u{301}b=1"]),
        ] as [(String, [String])])
    func areInOrder(query: String, pairs: [String]) {
        let found = queryPairs(of: query).map { "\($0.name)=\($0.value)" }
        #expect(found.map { Array($0.utf8) } == pairs.map { Array($0.utf8) })
    }
}
