/// Some of the rights that a credential may give, for what several of them have in common.
struct Operations: OptionSet {
    let rawValue: UInt8

    static let create = Operations(rawValue: 1 << 0)
    static let read = Operations(rawValue: 1 << 1)
    static let update = Operations(rawValue: 1 << 2)
    static let delete = Operations(rawValue: 1 << 3)

    /// As one says what someone does: "create".
    var verbs: [String] {
        [(Operations.create, "create"), (.read, "read"), (.update, "update"), (.delete, "delete")]
            .filter { contains($0.0) }.map(\.1)
    }

    /// As a document has them: "createAllowed".
    var attributes: [String] { verbs.map { "\($0)Allowed" } }
}

extension Operations {
    /// Those for which something holds.
    init(create: Bool, read: Bool, update: Bool, delete: Bool = false) {
        self = []
        if create { insert(.create) }
        if read { insert(.read) }
        if update { insert(.update) }
        if delete { insert(.delete) }
    }
}
