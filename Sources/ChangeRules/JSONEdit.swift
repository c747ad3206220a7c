package import DefinitionModel
package import JSON

/// An edit of what stands inside the value of a field with the format `json`. It is made on the
/// value that the record has at the change's turn.
package struct JSONEdit: Hashable, Sendable {
    /// The members that lead to the edited value, the outer ones first; empty for the whole value.
    /// Objects that are not there come to be, except for `removeMember`.
    package let path: [String]
    package let action: Action

    package enum Action: Hashable, Sendable {
        case set(JSONValue)
        /// Removes the last member of the path.
        case removeMember
        /// Adds to a number; nothing and null count as 0.
        case increment(JSONValue)
        /// Puts elements at the end of an array; nothing and null count as an empty one, as in the
        /// other edits of arrays.
        case append([JSONValue])
        /// Puts those elements at the end of an array that are not in it, each once.
        case appendMissing([JSONValue])
        /// Removes every element of an array that is one of these.
        case removeElements([JSONValue])
    }

    package init(path: [String], _ action: Action) {
        self.path = path
        self.action = action
    }
}

extension [JSONEdit] {
    /// The value after the edits, in their order. Nil if a part of it is not of the kind that an
    /// edit takes, or if nothing is left.
    ///
    /// - Parameter value: Nil for null.
    package func result(on value: JSONValue?) -> JSONValue? {
        var result = value
        for edit in self {
            guard let edited = edit.action.applied(to: result, at: edit.path[...]) else {
                return nil
            }
            result = edited.value
        }
        return result
    }
}

/// An edited value; nil inside for one that was removed.
private struct Edited {
    let value: JSONValue?
}

extension JSONEdit.Action {
    /// Nil if the value is not of the kind that the edit takes.
    fileprivate func applied(to value: JSONValue?, at path: ArraySlice<String>) -> Edited? {
        let value = value == .null ? nil : value
        guard let step = path.first else { return applied(to: value) }
        switch value {
        case nil where self == .removeMember: return Edited(value: nil)
        case nil: return applied(at: step, of: [:], path.dropFirst())
        case .object(let members): return applied(at: step, of: members, path.dropFirst())
        case .null, .boolean, .integer, .decimal, .string, .array, .unrepresentable: return nil
        }
    }

    private func applied(
        at step: String, of members: [String: JSONValue], _ rest: ArraySlice<String>
    ) -> Edited? {
        if self == .removeMember, members[step] == nil { return Edited(value: .object(members)) }
        guard let edited = applied(to: members[step], at: rest) else { return nil }
        var members = members
        members[step] = edited.value
        return Edited(value: .object(members))
    }

    private func applied(to value: JSONValue?) -> Edited? {
        switch self {
        case .set(let new): Edited(value: new)
        case .removeMember: Edited(value: nil)
        case .increment(let amount):
            (value ?? 0).adding(amount).map { Edited(value: $0) }
        case .append(let new): value.elements.map { Edited(value: .array($0 + new)) }
        case .appendMissing(let new):
            value.elements.map { elements in
                var seen = Set(elements)
                return Edited(value: .array(elements + new.filter { seen.insert($0).inserted }))
            }
        case .removeElements(let removed):
            value.elements.map { elements in
                let removed = Set(removed)
                return Edited(value: .array(elements.filter { !removed.contains($0) }))
            }
        }
    }
}

extension JSONValue? {
    /// Nil if it is no array.
    fileprivate var elements: [JSONValue]? {
        switch self {
        case nil: []
        case .array(let elements)?: elements
        case .null?, .boolean?, .integer?, .decimal?, .string?, .object?, .unrepresentable?: nil
        }
    }
}

extension JSONValue {
    /// The exact number; nil for another value.
    package var number: DecimalNumber? {
        switch self {
        case .integer(let number): DecimalNumber(number)
        case .decimal(let text): DecimalNumber(text)
        case .null, .boolean, .string, .array, .object, .unrepresentable: nil
        }
    }

    /// Nil if one of the values is no number, and if the sum has more than 38 digits.
    fileprivate func adding(_ amount: JSONValue) -> JSONValue? {
        guard let number, let amount = amount.number, let sum = number.adding(amount) else {
            return nil
        }
        return Int64(sum.description).map { .integer($0) } ?? .decimal(sum.description)
    }
}
