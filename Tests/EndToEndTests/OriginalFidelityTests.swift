import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Both wires preserve values")
struct OriginalFidelityTests {
    /// A model with a field of each type.
    static func definition(_ text: String) throws -> String {
        let types = ["TEXT", "INTEGER", "DECIMAL", "BOOLEAN", "DATE", "BELONGS_TO", "FILE"]
        let fields = types.map { type in
            let target =
                type == "BELONGS_TO"
                ? #"<options><option name="model">thing</option></options>"# : ""
            return """
                <field name="\(type.lowercased())" type="\(type)" required="false"><credentials>
                <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                    updateAllowed="ALL"/></credentials>\(target)</field>
                """
        }
        let models = """
            <models><model name="thing"><fields>\(fields.joined())</fields><credentials>
            <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/>
            </credentials></model></models>
            """
        guard let range = text.firstRange(of: /(?s)<models>.*<\/models>/) else {
            throw Unexpected("no models")
        }
        return text.replacingCharacters(in: range, with: models)
    }

    private static let file = "0f8fad5b-d9cb-469f-a165-70867728950e"

    /// A field, the value on the original wire, and the value on the native wire.
    static let values: [(field: String, original: String?, native: JSONValue)] = [
        ("text", "", ""), ("text", nil, .null), ("text", "null", "null"),
        ("text", "a\"\\/\u{8}\u{c}\n\r\t\u{1}", "a\"\\/\u{8}\u{c}\n\r\t\u{1}"),
        (
            "text", "ż 漢字 🐝 e\u{301} \u{200F}\u{2028}\u{FEFF}\u{10FFFF}",
            "ż 漢字 🐝 e\u{301} \u{200F}\u{2028}\u{FEFF}\u{10FFFF}"
        ),
        ("integer", "0", 0), ("integer", "-1", -1), ("integer", "2147483647", 2_147_483_647),
        ("integer", "-2147483648", -2_147_483_648), ("integer", nil, .null),
        ("decimal", "0.1", "0.1"), ("decimal", "-3.25", "-3.25"),
        ("decimal", "12345678901234567890.5", "12345678901234567890.5"),
        ("decimal", nil, .null),
        ("boolean", "true", .boolean(true)), ("boolean", "false", .boolean(false)),
        ("boolean", nil, .null),
        ("date", "0", 0), ("date", "1767225600123", 1_767_225_600_123), ("date", "-1", -1),
        ("date", nil, .null), ("belongs_to", nil, .null), ("file", nil, .null),
        (
            "file", #"{"filename":"ż \"a\".png","guid":"\#(file)"}"#,
            .object(["guid": .string(file), "filename": "ż \"a\".png"])
        ),
    ]

    @Test func eachValueComesThrough() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", changing: Self.definition)
        let (client, native) = (
            try OriginalClient("a", of: server), try server.client("b")
        )
        let reader = try OriginalClient("b", of: server)
        let cases = Self.values.map { (guid: fresh(), value: $0) }
        try await client.synchronize(
            cases.map { guid, value in
                OriginalLine(
                    guid, of: "thing", [value.field: value.original.map { .string($0) } ?? .null])
            }, files: [Self.file: [1]])
        let records = try await native.records()
        let delivery = try await reader.synchronize()
        for (guid, value) in cases {
            let record = try #require(records.first { $0.guid == guid })
            #expect(record.fields?[value.field] == value.native, "\(value)")
            let line = try delivery.line(guid)
            #expect(line[value.field] == value.original, "\(value)")
            // The clients for iOS and Windows Phone cannot read a null.
            let isThere = line.fields?.keys.contains(value.field)
            #expect(isThere == (value.original != nil), "\(value)")
        }
        // Sending received values back changes nothing.
        let revisions = Set(records.map(\.revision))
        try await reader.synchronize(
            try cases.map { guid, _ in
                let fields = try delivery.line(guid).fields ?? [:]
                return OriginalLine(
                    guid, of: "thing",
                    fields.filter { $0.key != "s_deleted" }
                        .mapValues { $0.map { .string($0) } ?? .null })
            })
        #expect(Set(try await native.records().map(\.revision)) == revisions)
    }

    @Test func valuesWrittenOnNativeWireAreReadUnchanged() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", changing: Self.definition)
        let (native, target) = (try server.client("a"), fresh())
        try await native.push(.create(target, of: "thing", [:]))
        let cases = Self.values.filter { !["file", "belongs_to"].contains($0.field) }
            .map { (guid: fresh(), value: $0) }
        _ = try await native.sync(
            cases.map { guid, value in
                .create(
                    guid, of: "thing", [value.field: value.native, "belongs_to": .string(target)])
            })
        let delivery = try await OriginalClient("b", of: server).synchronize()
        for (guid, value) in cases {
            let line = try delivery.line(guid)
            #expect(line[value.field] == value.original, "\(value)")
            #expect(line["belongs_to"] == target)
        }
    }
}
