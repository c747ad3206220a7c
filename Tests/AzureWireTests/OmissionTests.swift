import ChangeRules
import DefinitionModel
import JSON
import Testing

@testable import AzureWire

/// Columns that clients leave out whose serializer writes neither null nor false nor zero.
@Suite struct OmissionTests {
    private static let place = SourcePlace(line: 1, column: 1)

    private static func field(
        _ name: String, _ type: FieldType, required: Bool = false, standard: FieldValue? = nil
    ) -> Field {
        Field(
            name: name, type: type, isRequired: required, defaultValue: standard,
            credentials: [:], writtenOptions: [], writtenDefault: nil, place: place)
    }

    private static let table = Table(
        Model(
            name: "Item",
            fields: [
                field("text", .text(TextLimits()), standard: .text("new")),
                field("done", .boolean), field("open", .boolean, standard: .boolean(true)),
                field("count", .integer(IntegerLimits()), required: true),
                field("stars", .integer(IntegerLimits(minValue: 1)), standard: .integer(3)),
                field("level", .integer(IntegerLimits(minValue: 1)), required: true),
                field("price", .decimal(DecimalLimits()), required: true),
                field("due", .date(DateLimits())), field("photo", .file),
                field("code", .text(TextLimits()), required: true),
            ], credentials: [:], place: place), for: .datasync)

    private func edit(_ members: [String: JSONValue]) throws -> RowEdit {
        try RowEdit(members, of: Self.table, .datasync)
    }

    /// Zero is written out where the column would get another value, and only where it is allowed.
    @Test func newRowHasFalseAndZero() throws {
        var edit = try edit(["code": "c"])
        edit.addOmitted(in: Self.table) { _ in true }
        #expect(edit.values == ["code": "c", "open": .boolean(false), "count": 0, "price": 0])
        var given = try self.edit(["open": .boolean(true), "count": 7, "price": .null])
        given.addOmitted(in: Self.table) { _ in true }
        #expect(given.values == ["open": .boolean(true), "count": 7, "price": .null])
    }

    /// Some clients write back every text that looks like a time, in a form of their own.
    @Test(
        arguments: [
            ("2026-11-21T06:00:10Z", "2026-11-21T06:00:10.000Z", true),
            ("2026-11-21T06:00:10.1234567Z", "2026-11-21T06:00:10.123Z", true),
            ("2026-11-21T06:00:10Z", "2026-11-21T06:00:11.000Z", false),
            ("2026-11-21", "2026-11-21T00:00:00.000Z", false), ("today", "tomorrow", false),
        ])
    func rewrittenTimeIsNoEdit(shown: String, sent: String, isSame: Bool) throws {
        let changes = try edit(["text": .string(sent)]).changes(
            from: ["text": .string(shown)], in: Self.table
        ) { id, _ in id }
        #expect(changes.isEmpty == isSame)
    }

    /// The numbers of some clients are doubles.
    @Test(
        arguments: [
            (.integer(9_007_199_254_740_992), 9_007_199_254_740_993, true),
            (.decimal("9.223372036854776e18"), .max, true), (.integer(.min), .min + 1, true),
            (.integer(9_007_199_254_740_994), 9_007_199_254_740_993, false),
            (.string("9007199254740992"), 9_007_199_254_740_993, false),
            (.integer(7), 8, false),
        ] as [(JSONValue, Int64, Bool)])
    func roundedNumberIsNoEdit(sent: JSONValue, shown: Int64, isSame: Bool) throws {
        let changes = try edit(["count": sent]).changes(
            from: ["count": .integer(shown)], in: Self.table
        ) { id, _ in id }
        #expect(changes.isEmpty == isSame, "\(changes)")
    }

    /// Some of them write a whole number with a fraction of zeros, which is the same JSON number.
    @Test(
        arguments: [
            ("3.0", .value(.integer(3))), ("-0.0", .value(.integer(0))),
            ("3", .value(.integer(3))), ("3.5", .unreadable), (#""3""#, .unreadable),
        ] as [(String, GivenValue)])
    func wholeNumberMayHaveFraction(sent: String, given: GivenValue) throws {
        let edit = try edit(["count": try parseJSON(Array(sent.utf8))])
        let changes = edit.changes(from: ["count": 7], in: Self.table) { id, _ in id }
        #expect(changes == ["count": given])
        let same = edit.changes(from: ["count": 3], in: Self.table) { id, _ in id }
        #expect(same.isEmpty == (given == .value(.integer(3))))
    }

    private static let seen: [String: JSONValue] = [
        "text": "old", "done": .boolean(true), "open": .boolean(false), "count": 7, "stars": 2,
        "level": 2, "price": "1.50", "due": 0, "photo": .object(["filename": "a.jpg"]),
        "code": "c",
    ]

    @Test func valueThatIsLeftOutIsRemoved() throws {
        var edit = try edit(["text": "old"])
        edit.addOmitted(replacing: Self.seen, in: Self.table) { _ in true }
        let changes = edit.changes(from: Self.seen, in: Self.table) { id, _ in id }
        #expect(
            changes == [
                "done": .null, "count": .value(.integer(0)), "stars": .null,
                "price": .value(.decimal(DecimalNumber(0))), "due": .null,
            ])
    }

    /// A column says nothing that the row did not show, or showed as false, zero or null.
    @Test func whatIsNotSeenStays() throws {
        var edit = try edit([:])
        edit.addOmitted(
            replacing: ["done": .boolean(false), "count": 0, "price": "0.00", "due": .null],
            in: Self.table
        ) { _ in true }
        #expect(edit.values.isEmpty)
        edit.addOmitted(replacing: Self.seen, in: Self.table) { $0.name == "done" }
        #expect(edit.values == ["done": .null])
    }

    @Test func rowThatComesBackHasFalseAndZero() throws {
        var edit = try edit(["count": 7])
        edit.addOmitted(restoringIn: Self.table) { $0.name != "open" }
        #expect(edit.values == ["count": 7, "done": .boolean(false), "price": 0])
    }
}
