import Hummingbird

/// The part of an address after the question mark. A name that is not asked for is refused, since a
/// misspelt one would pass for a success.
struct Query {
    private let values: [String: String]

    init(_ request: Request, names: Set<String>) throws {
        var values: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard names.contains(name) else {
                throw HTTPFailure.parameterUnknown(name, known: names.sorted())
            }
            guard values.updateValue(String(value), forKey: name) == nil else {
                throw HTTPFailure.parameterIllegal(name, "is given twice")
            }
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }

    func number(_ name: String) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text) else {
            throw HTTPFailure.parameterIllegal(name, "is no whole number")
        }
        return number
    }
}
