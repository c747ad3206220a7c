import JSON
import Testing

@Suite struct PlainJSONTests {
    /// All texts of up to five of these bytes, among them texts that are not JSON or not UTF-8.
    @Test func eachTextHasTheSameValue() {
        let bytes = [UInt8](#""\01-a.n "#.utf8) + [0x01, 0xC3, 0xA9]
        var texts: [[UInt8]] = [[]]
        for _ in 0..<5 {
            texts = texts.flatMap { text in bytes.map { text + [$0] } }
            for text in texts { expectSameValue(of: text) }
        }
    }

    @Test(arguments: [
        "", "null", "999999999999999999", "-999999999999999999", "1000000000000000000",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e2", "00", "-00",
        #""a long text without any escape""#, #""\u0041""#, #""\ud800""#, #"{"a":1}"#, "[1]",
    ])
    func valueIsTheSame(text: String) {
        expectSameValue(of: Array(text.utf8))
    }

    private func expectSameValue(of text: [UInt8]) {
        let plain = text.withUnsafeBufferPointer { try? parsePlainJSON($0) }
        let value = try? parseJSON(text)
        if plain != value { Issue.record("\(text) is \(String(describing: plain))") }
    }
}
