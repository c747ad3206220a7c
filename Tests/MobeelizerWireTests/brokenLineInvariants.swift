import ChangeRules
import DefinitionModel
import JSON

@testable import MobeelizerWire

/// Checks the guarantees for reading any line of records: it terminates, an invalid line has a
/// message, and every value that is read is the same after writing and reading it. Returns the
/// violated ones.
func brokenLineInvariants(of bytes: [UInt8]) -> [String] {
    do throws(LineError) {
        return try RecordLine(bytes).fields.values.flatMap { json in
            FieldTypeName.allCases.compactMap { brokenInvariant(of: json, as: $0) }
        }
    } catch {
        return error.reason.isEmpty ? ["a fault has no words"] : []
    }
}

private func brokenInvariant(of json: JSONValue, as type: FieldTypeName) -> String? {
    guard case .value(let value) = GivenValue(fromWire: json, of: type) else { return nil }
    let written = JSONValue(value).onWire
    let isRead = GivenValue(fromWire: written, of: type) == .value(value)
    return isRead ? nil : "\(type) \(value), written as \(written), is another value"
}
