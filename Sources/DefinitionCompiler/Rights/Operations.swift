/// A set of the rights that a credential may give.
struct Operations: OptionSet {
    let rawValue: UInt8

    static let create = Operations(rawValue: 1 << 0)
    static let read = Operations(rawValue: 1 << 1)
    static let update = Operations(rawValue: 1 << 2)
    static let delete = Operations(rawValue: 1 << 3)

    /// As verbs in messages: "create".
    var verbs: [String] {
        [(Operations.create, "create"), (.read, "read"), (.update, "update"), (.delete, "delete")]
            .filter { contains($0.0) }.map(\.1)
    }

    /// As attributes in a document: "createAllowed".
    var attributes: [String] { verbs.map { "\($0)Allowed" } }
}

extension Operations {
    /// The operations that are true.
    init(create: Bool, read: Bool, update: Bool, delete: Bool = false) {
        self = []
        if create { insert(.create) }
        if read { insert(.read) }
        if update { insert(.update) }
        if delete { insert(.delete) }
    }
}
