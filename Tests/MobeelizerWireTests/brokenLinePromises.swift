import ChangeRules
import DefinitionModel
import JSON

@testable import MobeelizerWire

/// What reading a line of records promises, whatever is in it: an end, words where it is none, and
/// that each value which is read is read again from what is written of it. The promises that are
/// broken are named.
func brokenLinePromises(of bytes: [UInt8]) -> [String] {
    do throws(LineFault) {
        return try RecordLine(bytes).fields.values.flatMap { json in
            FieldTypeName.allCases.compactMap { brokenPromise(of: json, as: $0) }
        }
    } catch {
        return error.words.isEmpty ? ["a fault has no words"] : []
    }
}

private func brokenPromise(of json: JSONValue, as type: FieldTypeName) -> String? {
    guard case .value(let value) = GivenValue(fromWire: json, of: type) else { return nil }
    let written = JSONValue(value).onWire
    let isRead = GivenValue(fromWire: written, of: type) == .value(value)
    return isRead ? nil : "\(type) \(value), written as \(written), is another value"
}
