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

extension JSONEdit {
    /// The number of edits that one change may make. They are made while other writers wait.
    package static let mostOfChange = 1000
}

extension GivenValue {
    /// Whether it removes members of objects only: where there is no value, it changes nothing.
    package var onlyRemovesMembers: Bool {
        switch self {
        case .edited(let edits): edits.allSatisfy { $0.action == .removeMember }
        case .null, .value, .added, .unreadable: false
        }
    }
}

extension [JSONEdit] {
    /// The value after the edits, in their order. Nil if a part of it is not of the kind that an
    /// edit takes, if nothing is left, and if there are more than `JSONEdit.mostOfChange` or a path
    /// leads deeper than a value may be nested.
    ///
    /// Each edit takes as long as its part of the value is large, not as the whole value.
    ///
    /// - Parameter value: Nil for null.
    package func result(on value: JSONValue?) -> JSONValue? {
        guard count <= JSONEdit.mostOfChange,
            allSatisfy({ $0.path.count <= TextFormat.maxDepth })
        else { return nil }
        var result = value
        for edit in self {
            guard edit.action.apply(to: &result, at: edit.path[...]) else { return nil }
        }
        return result
    }
}

extension JSONEdit.Action {
    /// Edits the value in place; nil is one that is not there. Returns false if it is not of the
    /// kind that the edit takes: then the rest of it means nothing.
    fileprivate func apply(to value: inout JSONValue?, at path: ArraySlice<String>) -> Bool {
        if value == .null { value = nil }
        guard let step = path.first else { return apply(to: &value) }
        if value == nil, self == .removeMember { return true }
        guard var members = value.members else { return false }
        // Otherwise `members` would be a copy.
        value = nil
        defer { value = .object(members) }
        if self == .removeMember, members[step] == nil { return true }
        var member = members.removeValue(forKey: step)
        guard apply(to: &member, at: path.dropFirst()) else { return false }
        members[step] = member
        return true
    }

    private func apply(to value: inout JSONValue?) -> Bool {
        switch self {
        case .set(let new): value = new
        case .removeMember: value = nil
        case .increment(let amount):
            guard let sum = (value ?? 0).adding(amount) else { return false }
            value = sum
        case .append(let new): return value.edit { $0 += new }
        case .appendMissing(let new):
            return value.edit { $0.append(missing: new) }
        case .removeElements(let removed):
            let removed = Set(removed)
            return value.edit { $0.removeAll(where: removed.contains) }
        }
        return true
    }
}

extension [JSONValue] {
    fileprivate mutating func append(missing new: [JSONValue]) {
        // To hash every element takes longer than to compare it with a few.
        guard new.count > 4 else {
            for value in new where !contains(value) { append(value) }
            return
        }
        var seen = Set(self)
        self += new.filter { seen.insert($0).inserted }
    }
}

extension JSONValue? {
    /// Nil if it is no object.
    fileprivate var members: [String: JSONValue]? {
        switch self {
        case nil: [:]
        case .object(let members)?: members
        case .null?, .boolean?, .integer?, .decimal?, .string?, .array?, .unrepresentable?: nil
        }
    }

    /// Nil if it is no array.
    private var elements: [JSONValue]? {
        switch self {
        case nil: []
        case .array(let elements)?: elements
        case .null?, .boolean?, .integer?, .decimal?, .string?, .object?, .unrepresentable?: nil
        }
    }

    /// Edits an array in place. Returns false if it is none.
    fileprivate mutating func edit(_ change: (inout [JSONValue]) -> Void) -> Bool {
        guard var elements else { return false }
        self = nil
        change(&elements)
        self = .array(elements)
        return true
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
