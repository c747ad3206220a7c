import Foundation
import TestKit
import Testing

@testable import JSON
@testable import SyncProtocol

@Suite("The fast parser of messages agrees with the decoder")
struct WellFormedTests {
    private static let request = """
        {"cursor":"c","limit":5,"acknowledged":["1","2"],"changes":[
        {"id":"1","action":"create","model":"Note","guid":"g","fields":{"a":null,"b":{"c":[1]}}},
        {"id":"2","action":"update","model":"Note","guid":"g","base":3,"ifStale":"refuse",
        "fields":{}},{"id":"3","action":"delete","model":"Note","guid":"g","base":null}]}
        """

    private static let response = """
        {"cursor":"c","more":true,"resync":false,"dropped":[{"model":"Note","guid":"d"}],
        "outcomes":[{"id":"1","outcome":"merged","model":"Note","guid":"g","revision":2},
        {"id":"2","outcome":"refused","model":"Note","guid":"g","overwrote":1,
        "causes":[{"code":"c","message":"m","field":"a"}]}],
        "records":[{"conflicted":false,"deleted":false,"fields":{"a":null,"b":[1.5]},"group":"g",
        "guid":"g","model":"Note","owner":"o","revision":2},{"conflicted":true,"conflicts":[{
        "base":{"deleted":false,"fields":{"a":1}},"baseRevision":1,"mine":{"deleted":true,
        "fields":{},"login":"l"},"revision":2,"theirs":{"deleted":false,"fields":{}}}],
        "deleted":true,"group":"g","guid":"h","model":"Note","owner":"o","revision":3}]}
        """

    /// The decoder reports the mistakes of a changed message. Some changed messages are still
    /// valid.
    @Test(arguments: UInt64(0)..<200) func alteredRequestsHaveTheSameResult(seed: UInt64) throws {
        try check(Self.request, as: SyncRequest.self, seed: seed)
    }

    @Test(arguments: UInt64(0)..<200) func alteredResponsesHaveTheSameResult(seed: UInt64) throws {
        try check(Self.response, as: SyncResponse.self, seed: seed)
    }

    private func check<Message: Decodable & Equatable>(
        _ text: String, as type: Message.Type, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "null", "1", "\"x\"", "[]", "{}", "true", "1.5", "\"create\"", "\"refuse\"", "\"base\"",
        ]
        let original = try parseJSON(Array(text.utf8))
        for _ in 0..<20 {
            let piece = try parseJSON(Array((random.one(of: pieces) ?? "1").utf8))
            let json = original.changed(to: piece, using: &random)
            let bytes = Array(json.text.utf8)
            let expected = Result { try decode(type, from: parseJSON(bytes)) }
            let found = Result { try decodeMessage(type, from: bytes) }
            switch (found, expected) {
            case (.success(let found), .success(let expected)): #expect(found == expected)
            case (.failure(let found), .failure(let expected)):
                #expect("\(found)" == "\(expected)")
            case (.success, .failure), (.failure, .success):
                Issue.record("\(json.text): \(found), \(expected)")
            }
        }
    }

    @Test func validRequestNeedsNoDecoder() throws {
        let text = Self.request.replacing(",\"base\":null", with: "")
        let json = try parseJSON(Array(text.utf8))
        let request = try #require(SyncRequest(wellFormed: json))
        #expect(request == (try decode(SyncRequest.self, from: json)))
        #expect(request.changes.count == 3 && request.changes[1].ifStale == .refuse)
    }

    @Test func validResponseNeedsNoDecoder() throws {
        let json = try parseJSON(Array(Self.response.utf8))
        let response = try #require(SyncResponse(wellFormed: json))
        #expect(response == (try decode(SyncResponse.self, from: json)))
        #expect(response.records.count == 2 && response.records[1].conflicts?.count == 1)
    }
}

extension JSONValue {
    /// A copy with one value replaced, removed or added.
    fileprivate func changed(to piece: JSONValue, using random: inout SplitMix64) -> JSONValue {
        switch self {
        case .array(var elements) where !elements.isEmpty:
            let place = random.number(in: 0..<elements.count)
            elements[place] = elements[place].changed(to: piece, using: &random)
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            let name = random.one(of: members.keys.sorted()) ?? ""
            switch random.number(in: 0..<5) {
            case 0: members[name] = nil
            case 1: members["another"] = piece
            case _: members[name] = members[name]?.changed(to: piece, using: &random)
            }
            return .object(members)
        case .null, .boolean, .integer, .decimal, .string, .array, .object, .unrepresentable:
            return piece
        }
    }
}
