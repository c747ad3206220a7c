import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite struct JSONTextTests {
    @Test(arguments: UInt64(0)..<200)
    func writtenValuesAreReadBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let value = JSONValue.random(depth: 4, using: &random)
        #expect(try parseJSON(Array(value.text.utf8)) == value)
        #expect(!value.text.utf8.contains(where: { $0 < 0x20 }))
    }

    @Test(arguments: [
        (JSONValue.decimal("1.5"), "1.5"), (.decimal("-0.000001"), "-0.000001"),
        (.unrepresentable, "null"),
        (
            .object(["b": .integer(1), "a": "\"\\\u{1}/"]),
            #"{"a":"\"\\\u0001/","b":1}"#
        ),
    ])
    func numberStaysOne(value: JSONValue, text: String) {
        #expect(value.text == text)
    }

    @Test func inexactNumbersAreDetectedAtAnyDepth() throws {
        let value = try parseJSON(Array(#"{"a": [{"b": 1e999}]}"#.utf8))
        #expect(!value.isExact)
        #expect(try parseJSON(Array(#"{"a": [{"b": 1e9}]}"#.utf8)).isExact)
    }

    /// Notifications for live streams and webhooks have the members of the message.
    @Test func messageInOneLineReadsAsMessage() throws {
        let message = NotificationMessage(
            id: "n", at: 5, sender: "é", notification: ["x": .decimal("1.5")], login: "b",
            deviceIdentifier: "d")
        let read = try decodeMessage(NotificationMessage.self, from: Array(message.text.utf8))
        #expect(read == message)
        #expect(message.text.contains(#""x":1.5"#))
    }
}
