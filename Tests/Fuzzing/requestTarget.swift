import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import SyncProtocol

@testable import ParseWire

/// The entry point of libFuzzer, called with one body of a client of Parse after another.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let body = Array(UnsafeBufferPointer(start: start, count: count))
    refused { () throws(ParseFailure) in
        let call = try ParseCall(
            ReceivedCall(
                method: "POST", path: "/classes/Note", query: "", header: { _ in nil }, body: body))
        let parameters = try ParseParameters(call.parameters.filter { $0.key == "where" })
        try findNotes(parameters.filter)
        _ = try ParseParameters(call.parameters)
        for verb in [ParseVerb.post, .put] { try write(call.body, as: verb) }
    }
    guard let json = try? parseJSON(body) else { return 0 }
    refused { () throws(ParseFailure) in try findNotes(json) }
    for field in note.model.fields {
        refused { () throws(ParseFailure) in
            _ = try GivenValue(parse: json, for: field, in: records)
        }
    }
    return 0
}

/// A refusal has the shape of Parse.
private func refused(_ body: () throws(ParseFailure) -> Void) {
    do throws(ParseFailure) {
        try body()
    } catch {
        guard (400..<500).contains(error.status), error.code != nil, !error.message.isEmpty else {
            fatalError("a refusal is none of Parse: \(error)")
        }
    }
}

// MARK: - Conditions

/// A condition has one meaning, which can be written as the native wire writes it.
private func findNotes(_ json: JSONValue) throws(ParseFailure) {
    let reader = ParseFilter(model: note, records: records, valuesPerList: 3)
    let filter = try reader.filter(json)
    guard try reader.filter(json) == filter, try reader.nearness(in: json).map(isDistance) != false
    else { fatalError("one condition has two meanings") }
    check(filter, on: json)
}

private func check(_ filter: QueryFilter, on json: JSONValue) {
    switch filter {
    case .and(let parts), .or(let parts): for part in parts { check(part, on: json) }
    case .not(let part): check(part, on: json)
    case .inside(_, let condition):
        guard !condition.json.isExact || JSONCondition(condition.json) == condition else {
            fatalError("a condition is another one when it is read again: \(condition)")
        }
        _ = condition.holds(for: json)
    case .within(_, let area):
        guard GeoArea(area.json) == area else {
            fatalError("an area is another one when it is read again: \(area)")
        }
        _ = area.contains(pole)
    case .compare(_, let operand, _):
        guard !operand.hasPrefix("$distance") || isDistance(operand) else {
            fatalError("no distance: \(operand)")
        }
    case .among, .between, .like, .prefix, .null, .computes: break
    }
}

private func isDistance(_ operand: String) -> Bool {
    guard let name = DistanceName(operand) else { return false }
    let distance = name.position.meters(to: pole)
    return distance >= DecimalNumber(0) && distance <= DecimalNumber(20_015_087)
}

// MARK: - Values

/// Edits are the same together and one after another.
private func write(_ body: [String: JSONValue], as verb: ParseVerb) throws(ParseFailure) {
    let operation = ParseOperation(
        verb: verb, className: "Note", objectID: verb == .put ? "known" : nil, body: body)
    for edit in try operation.edits(of: note, relations, in: records) {
        guard Set(edit.added).isDisjoint(with: edit.removed) else {
            fatalError("an object is both added and removed: \(edit)")
        }
    }
    for value in try operation.fields(of: note, relations, in: records).values {
        guard case .edited(let edits) = value else { continue }
        guard verb == .put else { fatalError("a new object has edits: \(edits)") }
        for present in [nil, JSONValue.object(body), .object(["a": 1, "list": .array(["x"])])] {
            let single = edits.reduce(present) { [$1].result(on: $0) }
            check(edits.result(on: present), single)
        }
    }
}

private func check(_ value: JSONValue?, _ other: JSONValue?) {
    guard let value, value.isFormatted else { return }
    guard value == other, JSONValue(formatted: value.text) == value else {
        fatalError("an edited value is another one when it is read again: \(value)")
    }
}

// MARK: - The definition

private let pole = GeoPosition("90,0")!

private let records: RecordTable = {
    var table = RecordTable()
    for (number, name) in ["known", "other"].enumerated() {
        let guid = "11111111-1111-4111-8111-11111111111\(number)"
        let pointer = ParsePointer(className: "Note", objectID: name)
        table.add(NamedRecord(guid: guid, name: name), of: pointer)
    }
    return table
}()

private let note = ModelRules(
    model(
        "Note",
        [
            ("text", .text(TextLimits())), ("count", .integer(IntegerLimits())),
            ("price", .decimal(DecimalLimits())), ("done", .boolean), ("when", .date(DateLimits())),
            ("parent", .belongsTo(Relation(model: "Note"))), ("picture", .file),
            ("meta", .text(TextLimits(format: TextFormat(.json)))),
            ("place", .text(TextLimits(format: TextFormat(.geo)))),
            ("key", .text(TextLimits(format: TextFormat(.base64)))),
        ]))

/// Notes have notes.
private let relations = ParseRelations(
    Definition(
        application: "a", vendor: "v", conflictMode: .manual, deviceCategories: [], groups: [],
        roles: [],
        models: [
            model(
                "Pair",
                [
                    ("from", .belongsTo(Relation(model: "Note"))),
                    ("to", .belongsTo(Relation(model: "Note"))),
                ], joins: "notes")
        ], digest: ""))

private func model(
    _ name: String, _ types: [(String, FieldType)], joins: String? = nil
) -> Model {
    let place = SourcePlace(line: 1, column: 1)
    let fields = types.map { name, type in
        Field(
            name: name, type: type, isRequired: false, defaultValue: nil, credentials: [:],
            writtenOptions: [], writtenDefault: nil, place: place)
    }
    let extensions = joins.map { [WrittenOption(name: "joins", value: $0, place: place)] } ?? []
    return Model(
        name: name, fields: fields, credentials: [:], writtenExtensions: extensions, place: place)
}
