package import JSON

/// The shape of a JSON message. Requests are checked against it, and the OpenAPI document is made
/// from it.
package indirect enum MessageShape: Hashable, Sendable {
    /// With an example.
    case text(String)
    /// One of these; the first is the example.
    case word([String])
    /// With an example.
    case number(Int64)
    case flag
    /// This or null.
    case optional(MessageShape)
    case list(MessageShape)
    case object([MessageMember])
    /// An object that another page describes.
    case document
    /// Any value.
    case anything
}

/// A member of an object.
package struct MessageMember: Hashable, Sendable {
    package let name: String
    package let shape: MessageShape
    package let isRequired: Bool

    package init(_ name: String, _ shape: MessageShape, isRequired: Bool = true) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
    }
}

/// The first difference between a message and its shape.
package struct MessageFault: Error, Hashable, Sendable {
    /// Such as `users[0].login`; empty for the whole message.
    package let path: String
    /// The fault, and the right form, for people.
    package let fault: String
    package let help: String
}

extension MessageShape {
    /// Checks a message. Members that the shape does not have are faults.
    package func check(_ value: JSONValue, at path: String = "") throws(MessageFault) {
        switch self {
        case .text:
            guard case .string = value else { throw other(than: "a string", path) }
        case .word(let words):
            guard case .string(let word) = value, words.contains(word) else {
                throw other(than: "one of \(words.joined(separator: ", "))", path)
            }
        case .number:
            guard case .integer = value else {
                throw other(than: "a whole number of 64 bits", path)
            }
        case .flag:
            guard case .boolean = value else { throw other(than: "true or false", path) }
        case .optional(let shape):
            if value != .null { try shape.check(value, at: path) }
        case .list(let shape):
            guard case .array(let values) = value else { throw other(than: "a list", path) }
            for (index, value) in values.enumerated() {
                try shape.check(value, at: "\(path)[\(index)]")
            }
        case .object(let members):
            guard case .object(let values) = value else { throw other(than: "an object", path) }
            try check(values, members, path)
        case .document:
            guard case .object = value else { throw other(than: "an object", path) }
        case .anything: break
        }
    }

    private func check(
        _ values: [String: JSONValue], _ members: [MessageMember], _ path: String
    ) throws(MessageFault) {
        let start = path.isEmpty ? "" : "\(path)."
        for member in members {
            if let value = values[member.name] {
                try member.shape.check(value, at: start + member.name)
            } else if member.isRequired {
                throw MessageFault(
                    path: start + member.name, fault: "'\(start + member.name)' is missing",
                    help: "add it")
            }
        }
        let known = members.map(\.name)
        guard let unknown = values.keys.filter({ !known.contains($0) }).min() else { return }
        throw MessageFault(
            path: start + unknown, fault: "there is no member '\(start + unknown)'",
            help: "the members are \(known.map { "'\($0)'" }.joined(separator: ", "))")
    }

    private func other(than expected: String, _ path: String) -> MessageFault {
        MessageFault(
            path: path,
            fault: path.isEmpty
                ? "the body is of another type" : "'\(path)' is of another type",
            help: "make it \(expected)")
    }
}

extension MessageShape {
    /// The JSON Schema of OpenAPI 3.1.
    package var schema: JSONValue {
        switch self {
        case .text: .object(["type": "string"])
        case .word(let words):
            .object(["type": "string", "enum": .array(words.map { .string($0) })])
        case .number: .object(["type": "integer", "format": "int64"])
        case .flag: .object(["type": "boolean"])
        case .optional(let shape):
            .object(["anyOf": .array([shape.schema, .object(["type": "null"])])])
        case .list(let shape): .object(["type": "array", "items": shape.schema])
        case .object(let members):
            .object([
                "type": "object", "additionalProperties": .boolean(false),
                "properties": .object(
                    Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.shape.schema) })),
                "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
            ])
        case .document: .object(["type": "object"])
        case .anything: .object([:])
        }
    }

    package var example: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .word(let words): .string(words.first ?? "")
        case .number(let number): .integer(number)
        case .flag: .boolean(true)
        case .optional(let shape): shape.example
        case .list(let shape): .array([shape.example])
        case .object(let members):
            .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.shape.example) }))
        case .document: .object([:])
        case .anything: .string("open")
        }
    }
}
