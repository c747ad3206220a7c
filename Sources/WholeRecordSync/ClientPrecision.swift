import ChangeRules
import DefinitionModel
import JSON

/// How exactly a client holds values. A value that it has only lost digits of is no edit.
package struct ClientPrecision: Hashable, Sendable {
    /// Whether its decimals are binary numbers of 64 bits.
    package var isOfDoubles: Bool
    /// Whether its dates are whole seconds of 32 bits.
    package var isOfSeconds: Bool

    package static let exact = ClientPrecision()

    package init(isOfDoubles: Bool = false, isOfSeconds: Bool = false) {
        self.isOfDoubles = isOfDoubles
        self.isOfSeconds = isOfSeconds
    }

    /// A date as such a client holds it: the seconds since 1970, or the closest ones that it can
    /// hold.
    package static func seconds(of milliseconds: Int64) -> Int64 {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return Int64(Int32(clamping: rest < 0 ? seconds - 1 : seconds))
    }
}

extension ClientPrecision {
    /// Whether a value from the client is what it holds of a value that it was sent.
    func loses(_ known: JSONValue, as given: GivenValue) -> Bool {
        guard case .value(let value) = given else { return false }
        switch value {
        case .decimal(let number):
            guard isOfDoubles, case .string(let text) = known else { return false }
            return Double(number.description) == Double(text)
        case .date(let milliseconds):
            guard isOfSeconds, case .integer(let known) = known else { return false }
            return milliseconds == 1000 * Self.seconds(of: known)
        case .text, .integer, .boolean, .reference, .file: return false
        }
    }
}
