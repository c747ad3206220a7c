/// The state of files that a commit needs. The records that name a file are read only if another
/// user owns the file.
package struct FileNeed: Hashable, Sendable {
    /// The guids of the files that the batch names.
    package let guids: [String]
    /// The group of the author.
    package let group: String
    package let limit: NamingLimit

    package init(guids: [String], group: String, limit: NamingLimit) {
        self.guids = guids
        self.group = group
        self.limit = limit
    }

    package static let none = FileNeed(guids: [], group: "", limit: .none)
}
