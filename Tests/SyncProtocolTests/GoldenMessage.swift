import Foundation
import JSON
import SyncProtocol
import Testing

/// A message with a JSON file in `Golden/`.
struct GoldenMessage: Sendable, CustomTestStringConvertible {
    let name: String
    let encode: @Sendable () throws -> Data
    /// Whether decoding gives the same message.
    let isDecoded: @Sendable (Data) throws -> Bool

    init<Message: Codable & Equatable & Sendable>(_ name: String, _ message: Message) {
        self.name = name
        encode = {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return try encoder.encode(message) + Data("\n".utf8)
        }
        isDecoded = { json in
            let own = try decodeMessage(Message.self, from: Array(json))
            let foreign = try JSONDecoder().decode(Message.self, from: json)
            return own == message && foreign == message
        }
    }

    var path: String { "Tests/SyncProtocolTests/Golden/\(name).json" }
    var testDescription: String { name }
}

extension GoldenMessage {
    static let all: [GoldenMessage] =
        requests + answers + NotificationSamples.all + [
            GoldenMessage(
                "SyncResponse-empty",
                SyncResponse(
                    outcomes: [], records: [], dropped: [], cursor: "c1", more: false, resync: false
                )),
            GoldenMessage(
                "SyncResponse-resync",
                SyncResponse(
                    outcomes: [], records: [], dropped: [], cursor: "c1", more: true,
                    resync: true)),
            GoldenMessage(
                "SyncResponse-outcomes",
                SyncResponse(
                    outcomes: outcomes, records: [], dropped: [], cursor: "c2", more: false,
                    resync: false)),
            GoldenMessage(
                "SyncResponse-records",
                SyncResponse(
                    outcomes: [], records: records,
                    dropped: [DroppedMessage(model: "Note", guid: "g2")], cursor: "c3", more: true,
                    resync: false)),
            GoldenMessage(
                "FindResponse",
                FindResponse(records: [records[0]], more: true, cursor: "c4", count: 7)),
            GoldenMessage(
                "FindResponse-last",
                FindResponse(records: [], more: false, cursor: nil, count: nil)),
        ]

    private static let requests = [
        GoldenMessage(
            "SessionRequest",
            SessionRequest(
                login: "anna", password: "sword\"fish\\é🐝", deviceCategory: "mobile",
                deviceIdentifier: "phone/1")),
        GoldenMessage(
            "SessionRequest-idToken",
            SessionRequest(
                .idToken("a.b.c", provider: "company", nonce: "n"), deviceCategory: "mobile",
                deviceIdentifier: "phone/1")),
        GoldenMessage(
            "SessionRequest-code",
            SessionRequest(
                .code("c", verifier: "v"), deviceCategory: "mobile", deviceIdentifier: "phone/1")),
        GoldenMessage("SyncRequest-empty", SyncRequest()),
        GoldenMessage(
            "SyncRequest-full",
            SyncRequest(
                cursor: "c0", limit: 500, changes: changes, acknowledged: ["a1", "a2"])),
    ]

    private static let answers = [
        GoldenMessage(
            "SessionResponse",
            SessionResponse(
                token: "secret", expiresAt: 1_700_000_000_000, login: "anna", group: "users",
                role: "users-mobile", digest: digest, instance: "i1")),
        GoldenMessage(
            "OwnSessionResponse",
            OwnSessionResponse(
                login: "anna", group: "users", role: "users-mobile", digest: digest,
                instance: "i1")),
        GoldenMessage(
            "ProvidersResponse",
            ProvidersResponse(providers: [
                ProvidersResponse.ProviderMessage(name: "company", browser: true)
            ])),
        GoldenMessage(
            "UploadMessage-none", UploadMessage(guid: "f1", complete: false, received: 0)),
        GoldenMessage(
            "UploadMessage-part",
            UploadMessage(guid: "f1", complete: false, received: 4_194_304, size: 10_485_760)),
        GoldenMessage(
            "HealthMessage",
            HealthMessage(
                status: "ok", environment: "test", digest: digest)),
        GoldenMessage(
            "ErrorMessage",
            ErrorMessage(
                code: "wrongShape", message: "'changes[0].guid' is missing", help: "add it",
                details: ["path": "changes[0].guid"])),
        GoldenMessage(
            "ErrorMessage-plain",
            ErrorMessage(
                code: "notJSON", message: "the body is not JSON", help: "send a JSON object")),
    ]
}

private let digest = "4685fc2e3f0ba8a3112f136cb8c5ad0be2f88464eee47a55fb0331cf0cc789e2"
private let guids = (0..<4).map { "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f\($0)" }

private let everyValue: [String: JSONValue] = [
    "nothing": .null, "text": .string("line\n\u{2028}\t\"é\" 🐝"), "integer": .integer(.min),
    "decimal": .string("12.5"), "boolean": .boolean(false), "date": .integer(1_700_000_000_000),
    "relation": .string(guids[3]),
    "file": .object(["guid": .string(guids[2]), "filename": .string("a/b.jpg")]),
]

private let changes = [
    ChangeMessage(
        id: "1", action: .create, model: "Note", guid: guids[0], fields: everyValue),
    ChangeMessage(
        id: "2", action: .update, model: "Note", guid: guids[0], fields: ["text": .null]),
    ChangeMessage(
        id: "3", action: .delete, model: "Note", guid: guids[1], base: 7, ifStale: .refuse),
    ChangeMessage(
        id: "4", action: .resolve, model: "Note", guid: guids[2], base: .max,
        fields: ["text": .string("mine")]),
]

private let outcomes = [
    OutcomeMessage(id: "1", outcome: .accepted, model: "Note", guid: guids[0], revision: 8),
    OutcomeMessage(
        id: "2", outcome: .accepted, model: "Note", guid: guids[0], revision: 9, overwrote: 8),
    OutcomeMessage(id: "3", outcome: .conflicted, model: "Note", guid: guids[1], revision: 10),
    OutcomeMessage(id: "4", outcome: .discarded, model: "Note", guid: guids[2], revision: 3),
    OutcomeMessage(
        id: "5", outcome: .refused, model: "Note", guid: guids[3],
        causes: [
            CauseMessage(
                code: "tooLong", message: "'text' is longer than 3 characters", field: "text",
                argument: "3", line: 12, column: 9),
            CauseMessage(code: "recordUnknown", message: "there is no such record"),
        ]),
]

private let records = [
    RecordMessage(
        model: "Note", guid: guids[0], revision: 9, owner: "anna", group: "users",
        deleted: false, conflicted: false, fields: everyValue),
    RecordMessage(
        model: "Note", guid: guids[1], revision: 10, owner: "bert", group: "users",
        deleted: true, conflicted: false, fields: nil),
    RecordMessage(
        model: "Note", guid: guids[2], revision: 11, owner: "anna", group: "users",
        deleted: false, conflicted: true, fields: [:], conflicts: [conflict]),
]

private let conflict = ConflictMessage(
    revision: 11, baseRevision: 3,
    base: ConflictSide(deleted: false, fields: ["text": .string("was")]),
    mine: ConflictSide(
        deleted: false, fields: ["text": .string("mine")], login: "bert",
        deviceCategory: "mobile", at: 1_700_000_000_000),
    theirs: ConflictSide(
        deleted: true, fields: [:], login: "anna", deviceCategory: "web", at: 1_700_000_000_001))
