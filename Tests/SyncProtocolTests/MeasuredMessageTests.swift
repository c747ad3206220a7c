import JSON
import SyncProtocol
import Testing

/// A message that measures less than it takes would be encoded on a thread that all requests share.
@Suite struct MeasuredMessageTests {
    private static let long = JSONValue.string(String(repeating: "x", count: 20_000))

    private static func record(
        _ fields: [String: JSONValue]?, conflicts: [ConflictMessage]? = nil
    ) -> RecordMessage {
        RecordMessage(
            model: "Note", guid: "g", revision: 1, owner: "o", group: "g", deleted: false,
            conflicted: conflicts != nil, fields: fields, conflicts: conflicts)
    }

    private static func conflict(
        _ base: JSONValue, _ mine: JSONValue, _ theirs: JSONValue
    )
        -> ConflictMessage
    {
        let sides = [base, mine, theirs].map { ConflictSide(deleted: false, fields: ["text": $0]) }
        return ConflictMessage(
            revision: 2, baseRevision: 1, base: sides[0], mine: sides[1], theirs: sides[2])
    }

    private static func entry(
        before: [String: JSONValue]? = nil, wanted: [String: JSONValue]? = nil
    ) -> HistoryResponse {
        HistoryResponse(
            entries: [
                HistoryMessage(
                    revision: 1, kind: .updated, login: "a", deviceCategory: "mobile", at: 0,
                    before: before, wanted: wanted)
            ], cursor: nil)
    }

    @Test(
        arguments: [
            record(["text": long]), record(["list": .array([.object(["text": long])])]),
            record(nil, conflicts: [conflict(long, 1, 1)]),
            record(nil, conflicts: [conflict(1, long, 1)]),
            record(nil, conflicts: [conflict(1, 1, long)]),
            FindResponse(records: [record(["text": long])], more: false, cursor: nil, count: nil),
            ConflictsResponse(records: [record(["text": long])], cursor: nil),
            SyncResponse(
                outcomes: [], records: [record(["text": long])], dropped: [], cursor: "",
                more: false,
                resync: false),
            entry(before: ["text": long]), entry(wanted: ["text": long]),
        ] as [any MeasuredMessage])
    func longTextIsMeasured(message: any MeasuredMessage) {
        #expect(message.approximateBytes >= 20_000)
        #expect(message.approximateBytes < 21_000)
    }
}
