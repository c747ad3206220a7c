/// A change of a definition's text.
///
/// Elements are named by paths from the root, which is not part of them. An edit that gives
/// something to an element creates the elements of its path that do not exist.
package enum DefinitionEdit: Hashable, Sendable {
    /// Creates the element.
    case add(ElementPath)
    /// Sets an attribute; nil removes it. Names of Waggle's own attributes begin with `w:`,
    /// whatever the document's prefix is.
    case set(ElementPath, attribute: String, value: String?)
    /// Sets the text of an element.
    case write(ElementPath, text: String)
    /// Removes an element with its contents, and the line if nothing else is on it.
    case remove(ElementPath)
    /// Exchanges an element with the next one of its name and parent, or with the one before.
    case move(ElementPath, down: Bool)
    /// Renames what others refer to, and the references: a model in the relations to it, a group or
    /// device category in roles and credentials.
    case rename(ElementPath, to: String)
    /// Gives a role every right of another one, on all models and fields.
    case copyRights(from: String, to: String)
    /// Removes a role and its rights.
    case removeRole(String)
}

/// The path of an element, such as `models/model[name=note]/fields`.
package struct ElementPath: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let name: String
        /// The attributes by which the element is known, in the order in which they are written.
        package let keys: [Key]

        package init(_ name: String, _ keys: [Key] = []) {
            self.name = name
            self.keys = keys
        }
    }

    package struct Key: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package func appending(_ name: String, _ keys: Key...) -> ElementPath {
        ElementPath(steps + [Step(name, keys)])
    }

    /// As in messages, such as `models/model[name=note]`.
    package var text: String {
        steps.map { step in
            step.name + step.keys.map { "[\($0.name)=\($0.value)]" }.joined()
        }.joined(separator: "/")
    }
}

/// A reason why a text cannot be edited.
package enum EditError: Error, Hashable, Sendable {
    /// The text is no well-formed XML in UTF-8, or beyond the compiler's limits.
    case illegible
    /// The document has no such element.
    case missing(ElementPath)
    /// A name or a value has a character that XML cannot hold, or is no name.
    case illegal(String)
    /// Only models, groups and device categories have references.
    case notRenamed(ElementPath)
}
