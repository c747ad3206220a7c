package import ChangeRules
import DefinitionModel
package import JSON

/// How exactly a client holds values. A value that it has only lost digits of is no edit.
package struct ClientPrecision: Hashable, Sendable {
    /// Whether its decimals are binary numbers of 64 bits.
    package var isOfDoubles: Bool

    package static let exact = ClientPrecision(isOfDoubles: false)

    package init(isOfDoubles: Bool) {
        self.isOfDoubles = isOfDoubles
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
        case .text, .integer, .boolean, .date, .reference, .file: return false
        }
    }
}
