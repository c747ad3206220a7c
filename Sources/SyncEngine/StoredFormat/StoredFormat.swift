package import JSON

/// The version of the JSON format of stored outcomes, conflicts, causes, fills and progress of
/// devices. All earlier versions can be read.
///
/// - Version 1, without a `version` member: the messages of the native wire. A refused change has
///   its causes as sentences. A fill has the members that it has today. The progress of a device
///   has the rejection of a sync as a sentence.
/// - Version 2: causes as codes with arguments. The members `madeAt` and `results` of an outcome
///   came later; earlier programs pass over them.
package enum StoredFormat {
    package static let version: Int64 = 2

    /// Returns the version of a stored object. Throws `unreadable` for a later one than this
    /// program knows.
    @discardableResult
    package static func checkVersion(of members: [String: JSONValue]) throws(StoreError) -> Int64 {
        guard let member = members["version"] else { return 1 }
        guard case .integer(let version) = member, version >= 1 else {
            throw .unreadable("a stored value has no readable version")
        }
        guard version <= Self.version else {
            throw .unreadable(
                "a stored value has a later format than this program knows", remedy: .laterWaggle)
        }
        return version
    }
}

/// The members of a stored JSON object. A missing member, or one of the wrong type, makes the value
/// unreadable.
package struct StoredMembers {
    package let name: String
    package let members: [String: JSONValue]

    /// - Parameter name: Names the object in errors, with an article.
    package init(_ json: JSONValue?, of name: String) throws(StoreError) {
        guard case .object(let members)? = json else {
            throw .unreadable("\(name) is no JSON object")
        }
        self.name = name
        self.members = members
    }

    package func text(_ key: String) throws(StoreError) -> String {
        guard let text = try optionalText(key) else { throw missing(key) }
        return text
    }

    package func optionalText(_ key: String) throws(StoreError) -> String? {
        guard let member = members[key], member != .null else { return nil }
        guard case .string(let text) = member else { throw missing(key) }
        return text
    }

    package func integer(_ key: String) throws(StoreError) -> Int64 {
        guard let number = try optionalInteger(key) else { throw missing(key) }
        return number
    }

    package func optionalInteger(_ key: String) throws(StoreError) -> Int64? {
        guard let member = members[key], member != .null else { return nil }
        guard case .integer(let number) = member else { throw missing(key) }
        return number
    }

    package func flag(_ key: String) throws(StoreError) -> Bool {
        guard let member = members[key], member != .null else { return false }
        guard case .boolean(let flag) = member else { throw missing(key) }
        return flag
    }

    /// Returns the elements of a list; empty if the member is absent.
    package func list(_ key: String) throws(StoreError) -> [JSONValue] {
        guard let member = members[key], member != .null else { return [] }
        guard case .array(let elements) = member else { throw missing(key) }
        return elements
    }

    package func object(_ key: String) throws(StoreError) -> [String: JSONValue] {
        guard case .object(let members)? = members[key] else { throw missing(key) }
        return members
    }

    package func missing(_ key: String) -> StoreError {
        .unreadable("\(name) has no readable '\(key)'")
    }
}
