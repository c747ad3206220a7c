/// A fault in a query for records, whichever module finds it.
package struct QueryFault: Error, Hashable, Sendable {
    /// Stable, for programs; the Find page lists them.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case parameterUnknown, parameterIllegal, filterIllegal, filterTooLarge, sortIllegal,
            fieldsIllegal
    }

    package let code: Code
    /// Where in the question: `filter.and[1].eq[0]`, `sort[0]`; of a parameter its name.
    package let path: String
    /// The fault, for people.
    package let message: String
    /// The remedy, for people.
    package let help: String

    package init(_ code: Code, at path: String, _ message: String, help: String) {
        self.code = code
        self.path = path
        self.message = message
        self.help = help
    }
}

/// The words of a list in a message: `'a', 'b'`.
package func quotedList(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
}
