/// Asks for the records that name files now or in an open conflict, those closest to an asker
/// first: of the asker and of the asker's group, of one of these, and of others.
package struct NamingQuestion: Hashable, Sendable {
    /// Guids.
    package let files: [String]
    package let login: String
    package let group: String
    package let limit: NamingLimit

    package init(of files: [String], to login: String, group: String, limit: NamingLimit) {
        self.files = files
        self.login = login
        self.group = group
        self.limit = limit
    }
}

/// How far a store looks for records that name files.
package struct NamingLimit: Hashable, Sendable {
    /// The maximum number of links of each file that are looked at.
    package let links: Int
    /// The maximum number of records of each file that are read: the closest of those found.
    package let records: Int
    /// Bytes of the fields and open conflicts of all records. Those that were read end with the
    /// record that reaches it.
    package let bytes: Int

    package init(links: Int, records: Int, bytes: Int) {
        self.links = links
        self.records = records
        self.bytes = bytes
    }

    package static let none = NamingLimit(links: 0, records: 0, bytes: 0)
}

extension Limits {
    /// Returns lower limits for each of many files, because other commits wait meanwhile.
    func namingInPush(ofFiles count: Int) -> NamingLimit {
        NamingLimit(
            links: min(namingLinks, max(40, 4 * namingLinks / max(1, count))),
            records: min(namingRecords, max(10, 2000 / max(1, count))),
            bytes: pushNamingBytes)
    }

    /// The limits for one file that is asked for by itself.
    package var namingOfFile: NamingLimit {
        NamingLimit(links: namingLinks, records: namingRecords, bytes: namingBytes)
    }
}
