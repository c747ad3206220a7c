import DefinitionModel
import JSON
import SyncProtocol
import TestKit

extension FieldValue {
    static func random(of type: FieldTypeName, using random: inout SplitMix64) -> FieldValue {
        switch type {
        case .text: .text(.nasty(using: &random))
        case .integer: .integer(.nasty(using: &random))
        case .decimal: .decimal(.random(using: &random))
        case .boolean: .boolean(.random(using: &random))
        case .date: .date(milliseconds: .nasty(using: &random))
        case .belongsTo: .reference(guid: .guid(using: &random))
        case .file:
            .file(
                FileValue(
                    guid: .guid(using: &random), filename: "f" + .nasty(using: &random)))
        }
    }
}

extension JSONValue {
    /// Kinds that are written as they are.
    static func random(depth: Int, using random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: .null
        case 1: .boolean(.random(using: &random))
        case 2: .integer(.nasty(using: &random))
        case 3: .string(.nasty(using: &random))
        case 4:
            .array(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    JSONValue.random(depth: depth - 1, using: &random)
                })
        case _:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        (
                            String.nasty(using: &random),
                            JSONValue.random(depth: depth - 1, using: &random)
                        )
                    }
                ) { first, _ in first })
        }
    }
}

extension DecimalNumber {
    /// With up to 38 digits and the point anywhere.
    static func random(using random: inout SplitMix64) -> DecimalNumber {
        let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
            String(Int.random(in: 0...9, using: &random))
        }
        let point = Int.random(in: 1...digits.count, using: &random)
        let fraction = digits[point...].joined()
        let sign = Bool.random(using: &random) ? "-" : ""
        let text = sign + digits[..<point].joined() + (fraction.isEmpty ? "" : "." + fraction)
        return DecimalNumber(text) ?? DecimalNumber(0)
    }
}

extension Int64 {
    /// Near the limits of number types, or anywhere.
    static func nasty(using random: inout SplitMix64) -> Int64 {
        let edges: [Int64] = [0, 1 << 31, 1 << 32, 1 << 53, -(1 << 31), -(1 << 53), .max, .min]
        guard Bool.random(using: &random), let edge = edges.randomElement(using: &random) else {
            return .random(in: .min ... .max, using: &random)
        }
        return edge &+ .random(in: -2...2, using: &random)
    }
}

extension String {
    /// Characters that JSON escapes, that Unicode normalises, joins or reorders, and any others.
    static func nasty(using random: inout SplitMix64) -> String {
        let pieces = [
            "\u{0}", "\u{1}", "\u{1F}", "\u{7F}", "\u{85}", "\"", "\\", "/", "\n", "\r\n", "\t",
            "\\u0000", "e\u{301}", "\u{E9}", "\u{301}", "\u{1E9B}\u{323}", "\u{AC00}",
            "\u{1100}\u{1161}", "\u{212B}", "\u{FB01}", "ß", "İ", "\u{2028}", "\u{2029}",
            "\u{200D}", "\u{202E}", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{D7FF}",
            "\u{E000}", "\u{10FFFF}", "👩‍👧", "🇵🇱", "🐝", "a",
        ]
        return (0..<Int.random(in: 0...8, using: &random)).reduce(into: "") { text, _ in
            let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
            let piece = pieces.randomElement(using: &random) ?? ""
            text += Bool.random(using: &random) ? piece : scalar.map(String.init) ?? piece
        }
    }

    /// In upper case, lower case or both, as clients write them.
    static func guid(using random: inout SplitMix64) -> String {
        let digits = Array("0123456789abcdefABCDEF")
        return [8, 4, 4, 4, 12].map { count in
            String((0..<count).compactMap { _ in digits.randomElement(using: &random) })
        }.joined(separator: "-")
    }
}
