import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine
import Testing

@testable import AzureWire

/// Rows are written from the stored text, without reading its values.
@Suite("Stored columns") struct StoredColumnTests {
    private static let place = SourcePlace(line: 1, column: 1)

    private static let table: Table = {
        let types: [(String, FieldType)] = [
            ("text", .text(TextLimits())), ("count", .integer(IntegerLimits())),
            ("price", .decimal(DecimalLimits())), ("done", .boolean), ("due", .date(DateLimits())),
            ("photo", .file), ("list", .belongsTo(Relation(model: "List"))),
        ]
        let fields = types.map { name, type in
            Field(
                name: name, type: type, isRequired: false, defaultValue: nil, credentials: [:],
                writtenOptions: [], writtenDefault: nil, place: place)
        }
        let model = Model(name: "Item", fields: fields, credentials: [:], place: place)
        return Table(model, for: .apps)
    }()

    private static let texts = [
        #"{"count":7,"done":true,"due":1700000000000,"price":"12.50","text":"a \"b\" é"}"#,
        #"{"count":null,"done":false,"due":null,"price":null,"text":null}"#,
        #"{"done":null,"text":"{\"x\":1}"}"#, "{}",
        #"{"due":-1,"list":"11111111-0000-8000-8000-000000000001"}"#,
        #"{"due":253402300800000,"list":"11111111-0000-8000-8000-000000000002"}"#,
        #"{"due":1000000000000000000}"#, #"{"due":-9223372036854775808}"#,
        #"{"list":"11111111-0000-4000-8000-000000000003","photo":null}"#,
        #"{"list":null,"photo":{"filename":"a\"b.jpg","guid":"g"}}"#,
    ]

    /// Which fields the caller sees: those of the text, all of the table, or one less.
    enum Sight: CaseIterable { case stored, all, less }

    @Test(arguments: texts, Sight.allCases) func textGivesSameRowAsValues(
        text: String, sight: Sight
    ) throws {
        for omitsNull in [false, true] {
            for ids in [[:], ["11111111-0000-8000-8000-000000000001": "Movie 1"]] {
                try check(text, sight, omitsNull: omitsNull, ids: ids)
            }
        }
    }

    private func check(
        _ text: String, _ sight: Sight, omitsNull: Bool, ids: [String: String]
    ) throws {
        guard case .object(let stored) = try parseJSON(Array(text.utf8)) else { return }
        var names = stored.keys.sorted()
        switch sight {
        case .stored: break
        case .all: names = Self.table.model.fields.map(\.name)
        case .less: names = Array(names.dropFirst())
        }
        let fields = Dictionary(uniqueKeysWithValues: names.map { ($0, stored[$0] ?? .null) })
        var shape = RowShape(
            Self.table, .apps, properties: [.createdAt, .updatedAt, .version, .deleted],
            omitsNull: omitsNull)
        shape.ids = ids
        let read = found(fields)
        var kept = found(nil)
        kept.stored = StoredFields(
            of: StoredRecord(
                guid: "g", model: "Item", owner: "a", group: "users", revision: 3,
                isDeleted: false, isConflicted: false, fieldsText: text),
            showing: FieldSelection(names))
        let one = try parseJSON(try shape.bytes(of: read))
        #expect(try parseJSON(try shape.bytes(of: kept)) == one)
        guard case .object(let row) = one else { return }
        let shown = fields.filter { !omitsNull || $0.value != .null }
        #expect(Set(row.keys).isSuperset(of: shown.keys))
        #expect(row.count == shown.count + 5)
    }

    @Test(
        arguments: [
            (.services, "text", ["__version"]), (.services, "text,__updatedat", ["__version"]),
            (.apps, "text", []), (.apps, "text,version", ["version"]),
            (.apps, "text,__version", ["version"]), (.datasync, "__version", ["version"]),
        ] as [(ClientGeneration, String, [String])])
    func selectedRowHasProperties(
        dialect: ClientGeneration, selected: String, names: [String]
    ) throws {
        let shape = RowShape(
            Self.table, dialect, properties: [.version],
            columns: Set(selected.split(separator: ",").map(String.init)))
        guard case .object(let row) = try parseJSON(try shape.bytes(of: found([:]))) else {
            return
        }
        #expect(Set(row.keys) == Set(names + ["id"]))
    }

    private func found(_ fields: [String: JSONValue]?) -> FoundView {
        FoundView(
            record: RecordView(
                model: "Item", guid: "g", revision: 3, owner: "a", group: "users",
                isDeleted: false, isConflicted: false, fields: fields),
            id: "g", createdAt: Instant(milliseconds: 1), changedAt: Instant(milliseconds: 2))
    }
}
