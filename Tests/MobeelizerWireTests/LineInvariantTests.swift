import TestKit
import Testing

@Suite("Reading any line keeps its guarantees")
struct LineInvariantTests {
    private static let samples = [
        #"{"model":"m","guid":"g","fields":{"a":"1.5E-7","b":"true","c":null,"s_deleted":"true"}}"#,
        #"{"model":"m","guid":"g","fields":{"a":{"guid":"0f8fad5b-d9cb-469f-a165-70867728950e","#
            + #""filename":"ż \"a\""},"b":"{\"guid\":\"x\"}","c":"-9223372036854775808"}}"#,
    ]

    @Test(arguments: samples)
    func asItIs(line: String) {
        #expect(brokenLineInvariants(of: Array(line.utf8)) == [])
    }

    @Test(arguments: UInt64(0)..<200)
    func withSomeBytesChanged(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for sample in Self.samples {
            var bytes = Array(sample.utf8)
            for _ in 0..<random.number(in: 1...6) {
                bytes[random.number(in: bytes.indices)] = UInt8(random.number(in: 32...126))
            }
            #expect(brokenLineInvariants(of: bytes) == [], "seed \(seed)")
        }
    }
}
