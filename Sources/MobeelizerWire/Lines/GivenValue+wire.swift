import ChangeRules
import DefinitionModel
import Foundation
import JSON

/// On the original wire, the value of a field is a string, whatever its type.
extension GivenValue {
    /// Reads a value from a client: a string, which contains JSON for a file, or that JSON itself.
    init(fromWire json: JSONValue, of type: FieldTypeName) {
        switch json {
        case .null: self = .null
        case .string(let text): self.init(FieldValue(fromWire: text, of: type))
        case .boolean, .integer, .decimal, .array, .object, .unrepresentable:
            self.init(
                type == .file ? FieldValue(fileFromWire: json) : FieldValue(json, of: type))
        }
    }

    private init(_ value: FieldValue?) {
        self = value.map { .value($0) } ?? .unreadable
    }
}

extension FieldValue {
    fileprivate init?(fromWire text: String, of type: FieldTypeName) {
        switch type {
        case .text, .integer, .boolean, .date, .belongsTo: self.init(text: text, of: type)
        case .decimal: self.init(text: withoutExponent(text) ?? text, of: type)
        case .file:
            guard let json = try? parseJSON(Array(text.utf8)) else { return nil }
            self.init(fileFromWire: json)
        }
    }

    /// Ignores all other members of the file.
    fileprivate init?(fileFromWire json: JSONValue) {
        guard case .object(let members) = json, let guid = members["guid"],
            let filename = members["filename"]
        else { return nil }
        self.init(.object(["guid": guid, "filename": filename]), of: .file)
    }
}

/// Expands `1.5E10` and `2.5E-7`, which Java writes for large and small numbers. Nil if there is no
/// exponent, or if the number would have too many digits for a decimal.
func withoutExponent(_ text: String) -> String? {
    let parts = text.uppercased().split(separator: "E", omittingEmptySubsequences: false)
    guard parts.count == 2, let exponent = Int(parts[1]),
        (-2 * DecimalNumber.maxDigits...2 * DecimalNumber.maxDigits).contains(exponent)
    else { return nil }
    let isNegative = parts[0].hasPrefix("-")
    let number = (isNegative ? parts[0].dropFirst() : parts[0])
        .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = number.first, !whole.isEmpty else { return nil }
    let fraction = number.count == 2 ? number[1] : ""
    let zeros = String(repeating: "0", count: abs(exponent))
    let digits = exponent < 0 ? "\(zeros)\(whole)\(fraction)" : "\(whole)\(fraction)\(zeros)"
    let point = (exponent < 0 ? zeros.count : 0) + whole.count + exponent
    let end = digits.dropFirst(point)
    return "\(isNegative ? "-" : "")\(digits.prefix(point))\(end.isEmpty ? "" : ".\(end)")"
}

extension JSONValue {
    /// Converts a value of the native wire to one of the original wire: a string or null.
    var onWire: JSONValue {
        switch self {
        case .null, .unrepresentable: .null
        case .boolean(let flag): .string(String(flag))
        case .integer(let number): .string(String(number))
        case .decimal(let text), .string(let text): .string(text)
        case .array, .object: .string(compactText)
        }
    }

    private var compactText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = (try? encoder.encode(self)) ?? Data("null".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
