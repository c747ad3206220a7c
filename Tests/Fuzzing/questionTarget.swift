import ChangeRules
import DefinitionModel

@testable import AzureWire

/// The entry point of libFuzzer, called with one filter after another.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(QuestionFault) {
        let expression = try QuestionParser.expression(of: text)
        let filter = try translation.filter(expression)
        guard try translation.filter(.not(.not(expression))) == filter else {
            fatalError("two negations are not none")
        }
    } catch {
        guard !error.message.isEmpty else { fatalError("a fault says nothing") }
    }
    return 0
}

private let translation = FilterTranslation(table: Table(model, for: .datasync)) { id, model in
    id == "a" ? nil : "\(model)-\(id)"
}

private let model: Model = {
    let place = SourcePlace(line: 1, column: 1)
    let types: [(String, FieldType)] = [
        ("text", .text(TextLimits())), ("number", .integer(IntegerLimits())),
        ("price", .decimal(DecimalLimits())), ("done", .boolean), ("due", .date(DateLimits())),
        ("parent", .belongsTo(Relation(model: "item"))), ("file", .file),
    ]
    let fields = types.map { name, type in
        Field(
            name: name, type: type, isRequired: false, defaultValue: nil, credentials: [:],
            writtenOptions: [], writtenDefault: nil, place: place)
    }
    return Model(name: "item", fields: fields, credentials: [:], place: place)
}()
