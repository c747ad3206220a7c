/// A table of an environment, for copies between databases. The cases are in an order in which they
/// can be written: no table refers to a later one.
///
/// Five kinds of data are not included: versions, which belong to the `EnvironmentHead`, failed
/// sign-ins, which start from zero in a copy, claimed deliveries, which a copy begins anew, the
/// codes of accounts, which would be valid again after they were used up, and push tokens without
/// a user, which would reach devices from both.
package enum EnvironmentTable: String, CaseIterable, Sendable {
    case users, sessions, devices, records, history, conflicts, outcomes
    case uniqueValues = "unique_values"
    case ownershipChanges = "moves"
    case purgedRecords = "swept"
    case links, names, files
    case deviceProgress = "device_progress"
    case deviceFiles = "device_files"
    case pushTokens = "push_tokens"
    case notifications, refusals, epochs, erasures
    case readPolicyChanges = "sight_changes"

    /// The columns of the table. The key columns come first.
    package var columns: [EnvironmentColumn] {
        switch self {
        case .users: ColumnLists.users
        case .sessions: ColumnLists.sessions
        case .devices: ColumnLists.devices
        case .records: ColumnLists.records
        case .history: ColumnLists.history
        case .conflicts: ColumnLists.conflicts
        case .outcomes: ColumnLists.outcomes
        case .uniqueValues: ColumnLists.uniqueValues
        case .ownershipChanges: ColumnLists.ownershipChanges
        case .purgedRecords: ColumnLists.purgedRecords
        case .links: ColumnLists.links
        case .names: ColumnLists.names
        case .files: ColumnLists.files
        case .deviceProgress: ColumnLists.deviceProgress
        case .deviceFiles: ColumnLists.deviceFiles
        case .pushTokens: ColumnLists.pushTokens
        case .notifications: ColumnLists.notifications
        case .refusals: ColumnLists.refusals
        case .epochs: ColumnLists.epochs
        case .erasures: ColumnLists.erasures
        case .readPolicyChanges: ColumnLists.readPolicyChanges
        }
    }

    /// The columns that identify a row. They are unique in an environment unless `hasSequels` is
    /// true.
    package var key: ArraySlice<EnvironmentColumn> {
        let count =
            switch self {
            case .users, .sessions, .records, .history, .purgedRecords, .names, .files,
                .notifications, .refusals, .epochs, .erasures, .readPolicyChanges:
                1
            case .devices, .conflicts, .ownershipChanges, .links, .deviceProgress, .pushTokens: 2
            case .outcomes, .uniqueValues: 3
            case .deviceFiles: 4
            }
        return columns.prefix(count)
    }

    /// Whether every kind of database can read the table efficiently in the byte order of its key.
    /// Values of `uniqueValues` can be too long for an index, so a database may index hashes and
    /// use an order of its own.
    package var isOrderedAlike: Bool { self != .uniqueValues }

    /// Whether several rows may share a key. They are copied together, so that they keep the order
    /// in which they were written.
    package var hasSequels: Bool { self == .history }
}

/// The columns of each table, key columns first.
private enum ColumnLists {
    static let users: [EnvironmentColumn] = [
        .text("login"), .text("group_name"), .text("mail"), .flag("is_admin"),
        .text("password_hash"), .integer("made_at"), .integer("changed_at"),
    ]
    static let sessions: [EnvironmentColumn] = [
        .bytes("token_hash"), .text("login"), .text("device_category"), .text("device_identifier"),
        .integer("expires_at"), .integer("opened_at"),
    ]
    static let devices: [EnvironmentColumn] = [
        .text("login"), .text("device_identifier"), .integer("signed_in_at"),
    ]
    static let records: [EnvironmentColumn] = [
        .text("guid"), .integer("sequence"), .text("model"), .text("owner"), .text("group_name"),
        .integer("revision"), .flag("is_deleted"), .flag("is_conflicted"), .text("fields"),
        .integer("created"), .integer("moved"), .integer("created_at"), .integer("changed_at"),
    ]
    static let history: [EnvironmentColumn] = [
        .text("guid"), .integer("revision"), .text("kind"), .text("change_id"), .text("login"),
        .text("device_category"), .text("device_identifier"), .integer("at"), .flag("was_deleted"),
        .text("fields"), .integer("sequence"),
    ]
    static let conflicts: [EnvironmentColumn] = [
        .text("guid"), .integer("revision"), .flag("is_open"), .text("login"),
        .text("device_identifier"), .text("sides"),
    ]
    static let outcomes: [EnvironmentColumn] = [
        .text("login"), .text("device_identifier"), .text("change_id"), .text("outcome"),
        .integer("expires_at"), .flag("is_traceless"),
    ]
    static let uniqueValues: [EnvironmentColumn] = [
        .text("model"), .text("field"), .text("value"), .text("guid"),
    ]
    static let ownershipChanges: [EnvironmentColumn] = [
        .text("guid"), .integer("sequence"), .integer("revision"), .text("owner"),
        .text("group_name"), .integer("stamp"),
    ]
    static let purgedRecords: [EnvironmentColumn] = [
        .text("guid"), .text("model"), .text("owner"), .text("group_name"), .integer("created"),
        .integer("sequence"), .integer("created_at"), .integer("changed_at"),
    ]
    static let links: [EnvironmentColumn] = [.text("source"), .text("target"), .flag("is_current")]
    static let names: [EnvironmentColumn] = [.text("guid"), .text("name")]
    static let files: [EnvironmentColumn] = [
        .text("guid"), .text("login"), .integer("at"), .flag("is_named"), .text("upload"),
        .text("sha256"), .integer("size"), .flag("is_complete"),
    ]
    static let deviceProgress: [EnvironmentColumn] = [
        .text("login"), .text("device_identifier"), .text("confirmed"), .flag("holds_records"),
        .text("ticket"), .flag("starts_over"), .text("rejection"), .integer("deliveries"),
        .text("delivered"), .text("details"),
    ]
    static let deviceFiles: [EnvironmentColumn] = [
        .text("login"), .text("device_identifier"), .text("record"), .text("file"),
        .text("ticket"), .flag("is_leaving"),
    ]
    static let pushTokens: [EnvironmentColumn] = [
        .text("device_identifier"), .text("type"), .text("login"), .text("device_category"),
        .text("token"), .integer("at"), .bytes("source"),
    ]
    static let notifications: [EnvironmentColumn] = [
        .integer("number"), .text("name"), .text("sender"), .integer("at"),
        .text("device_category"), .text("group_name"), .texts("logins"), .text("body"),
    ]
    static let refusals: [EnvironmentColumn] = [
        .integer("number"), .text("login"), .text("device_identifier"), .integer("at"),
        .text("model"), .text("guid"), .text("content"), .text("causes"), .integer("bytes"),
        .text("sha256"), .integer("size"),
    ]
    static let epochs: [EnvironmentColumn] = [
        .integer("number"), .integer("epoch"), .integer("sequence"), .integer("notification"),
    ]
    static let erasures: [EnvironmentColumn] = [.text("login"), .integer("at"), .text("author")]
    static let readPolicyChanges: [EnvironmentColumn] = [
        .integer("stamp"), .integer("sequence"), .text("login"), .text("former"),
    ]
}

/// A column of an `EnvironmentTable`, independent of the kind of database.
package struct EnvironmentColumn: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case integer, flag, text, bytes, texts
    }

    package let name: String
    package let kind: Kind

    fileprivate static func integer(_ name: String) -> EnvironmentColumn {
        EnvironmentColumn(name: name, kind: .integer)
    }

    fileprivate static func flag(_ name: String) -> EnvironmentColumn {
        EnvironmentColumn(name: name, kind: .flag)
    }

    fileprivate static func text(_ name: String) -> EnvironmentColumn {
        EnvironmentColumn(name: name, kind: .text)
    }

    fileprivate static func bytes(_ name: String) -> EnvironmentColumn {
        EnvironmentColumn(name: name, kind: .bytes)
    }

    fileprivate static func texts(_ name: String) -> EnvironmentColumn {
        EnvironmentColumn(name: name, kind: .texts)
    }
}

/// A stored value, independent of the kind of database.
package enum Cell: Hashable, Sendable {
    case null
    /// An integer, or a flag as 0 or 1.
    case integer(Int64)
    /// Bytes, or a text as UTF-8. Texts are equal only if their bytes are.
    case bytes([UInt8])
    case list([[UInt8]])
}

extension Cell {
    package static func text(_ text: String) -> Cell { .bytes(Array(text.utf8)) }

    package static func flag(_ flag: Bool) -> Cell { .integer(flag ? 1 : 0) }

    package static func texts(_ texts: [String]) -> Cell { .list(texts.map { Array($0.utf8) }) }

    /// The text, or nil if the cell holds another type.
    package var text: String? {
        guard case .bytes(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The integer, or nil if the cell holds another type.
    package var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}

extension EnvironmentColumn {
    /// Returns the integer, or nil for null. Throws if the cell holds another type, as do the other
    /// methods.
    package func integer(of cell: Cell) throws(StoreError) -> Int64? {
        guard case .integer(let number) = cell else { return try null(cell) }
        return number
    }

    /// Returns the bytes, or the UTF-8 of a text; nil for null.
    package func bytes(of cell: Cell) throws(StoreError) -> [UInt8]? {
        guard case .bytes(let bytes) = cell else { return try null(cell) }
        return bytes
    }

    package func texts(of cell: Cell) throws(StoreError) -> [String]? {
        guard case .list(let texts) = cell else { return try null(cell) }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }

    private func null<Value>(_ cell: Cell) throws(StoreError) -> Value? {
        guard cell == .null else {
            throw .failed("a value of column '\(name)' is of another type")
        }
        return nil
    }
}

/// A row of an `EnvironmentTable`, with cells in the order of the columns.
package typealias EnvironmentRow = [Cell]

/// A range of keys, excluding `after` and including `upTo`. A nil bound is open.
package struct KeyRange: Hashable, Sendable {
    package var after: [Cell]?
    package var upTo: [Cell]?

    package static let everything = KeyRange()

    package init(after: [Cell]? = nil, upTo: [Cell]? = nil) {
        self.after = after
        self.upTo = upTo
    }
}
