import ChangeRules
import DefinitionModel
import JSON

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
        let filter = ParseFilter(model: rules, records: records, valuesPerList: 3)
        let plain = try filter.filter(parameters.filter)
        guard try filter.filter(parameters.filter) == plain else {
            fatalError("one condition has two meanings")
        }
    }
    guard let json = try? parseJSON(body) else { return 0 }
    refused { () throws(ParseFailure) in
        _ = try ParseFilter(model: rules, records: records, valuesPerList: 3).filter(json)
    }
    for field in rules.model.fields {
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

private let records: RecordTable = {
    var table = RecordTable()
    table.add(
        NamedRecord(guid: "11111111-1111-4111-8111-111111111111", name: "known"),
        of: ParsePointer(className: "Note", objectID: "known"))
    return table
}()

private let rules: ModelRules = {
    let place = SourcePlace(line: 1, column: 1)
    let types: [(String, FieldType)] = [
        ("text", .text(TextLimits())), ("count", .integer(IntegerLimits())),
        ("price", .decimal(DecimalLimits())), ("done", .boolean), ("when", .date(DateLimits())),
        ("parent", .belongsTo(Relation(model: "Note"))), ("picture", .file),
    ]
    let fields = types.map { name, type in
        Field(
            name: name, type: type, isRequired: false, defaultValue: nil, credentials: [:],
            writtenOptions: [], writtenDefault: nil, place: place)
    }
    return ModelRules(Model(name: "Note", fields: fields, credentials: [:], place: place))
}()
