import ChangeRules
import DefinitionModel
import JSON

@testable import AzureWire

/// The entry point of libFuzzer, called with one request after another: the query of its URL and
/// the version in its header, each on a line, and its body.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        .map(String.init)
    for dialect in ClientGeneration.allCases {
        tellingFaults { () throws(QuestionFault) in try ask(lines[0], dialect) }
        guard lines.count > 1 else { continue }
        tellingFaults { () throws(QuestionFault) in try compare(lines[1], dialect) }
        guard lines.count > 2 else { continue }
        tellingFaults { () throws(QuestionFault) in try edit(lines[2], dialect) }
    }
    return 0
}

private func tellingFaults(_ work: () throws(QuestionFault) -> Void) {
    do throws(QuestionFault) {
        try work()
    } catch {
        guard !error.message.isEmpty else { fatalError("a fault says nothing") }
    }
}

/// A question means the same when its meaning is asked again, and a pull skips no row at its bound.
private func ask(_ query: String, _ dialect: ClientGeneration) throws(QuestionFault) {
    let parameters = try URLParameters(query: query)
    let client = try ClientTraits(method: "GET", parameters: parameters) { header in
        header == "x-zumo-features" ? "OL" : nil
    }
    let meant = try TableQuestion(parameters, dialect).meant(by: client)
    guard meant.meant(by: client) == meant else { fatalError("a question has two meanings") }
    let bounds = meant.filter?.conjuncts.compactMap { $0.changeBound(dialect) } ?? []
    guard
        dialect == .datasync || !meant.isPull || meant.skip != 1 || bounds.isEmpty
            || bounds.contains(where: { $0.comparison == .gt })
    else { fatalError("a pull skips a row") }
}

private func compare(_ version: String, _ dialect: ClientGeneration) throws(QuestionFault) {
    if let read = RowVersion(version), read.text != version {
        fatalError("a version is another one")
    }
    for text in [version, "\"\(version)\""] {
        guard case .version(let read?) = try RowCondition(ifMatch: text, dialect) else { continue }
        guard try RowCondition(ifMatch: read.tag, dialect) == .version(read) else {
            fatalError("a condition is another one")
        }
    }
}

/// A row that shows what was sent is not changed by sending it again.
private func edit(_ body: String, _ dialect: ClientGeneration) throws(QuestionFault) {
    guard let json = try? parseJSON(Array(body.utf8)), case .object(let members) = json else {
        return
    }
    var edit = try RowEdit(members, of: table, dialect)
    if let id = edit.id { _ = isLegalRowID(id, dialect) }
    let given = edit.changes(from: nil, in: table, guid: guid)
    var shown: [String: JSONValue] = [:]
    for (name, value) in given {
        switch value {
        case .null: shown[name] = .null
        case .value(let value): shown[name] = JSONValue(value)
        case .unreadable, .added, .edited: return
        }
    }
    guard edit.changes(from: shown, in: table, guid: guid).isEmpty else {
        fatalError("a row is changed by what it shows")
    }
    let values = edit.values
    edit.addOmitted(replacing: shown, in: table) { _ in true }
    guard edit.values == values else { fatalError("a column that was sent was left out") }
    edit.addOmitted(in: table) { _ in true }
}

private func guid(_ id: String, _ model: String) -> String? { id.isEmpty ? nil : "\(model)-\(id)" }

/// Files are apart: a row shows the name alone, and no request sets it.
private let table: Table = {
    let place = SourcePlace(line: 1, column: 1)
    let types: [(String, FieldType)] = [
        ("text", .text(TextLimits())), ("number", .integer(IntegerLimits())),
        ("price", .decimal(DecimalLimits())), ("done", .boolean), ("due", .date(DateLimits())),
        ("parent", .belongsTo(Relation(model: "item"))),
    ]
    let fields = types.map { name, type in
        Field(
            name: name, type: type, isRequired: name == "number", defaultValue: nil,
            credentials: [:], writtenOptions: [], writtenDefault: nil, place: place)
    }
    let model = Model(name: "item", fields: fields, credentials: [:], place: place)
    return Table(model, for: .datasync)
}()
