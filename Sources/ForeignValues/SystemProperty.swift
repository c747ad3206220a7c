/// A property of each row of Azure Mobile beside its id and its columns.
package enum SystemProperty: String, Hashable, Sendable, CaseIterable {
    case createdAt, updatedAt, version, deleted

    /// In any case, with the underscores of the first generation or without.
    package init?(written name: String) {
        let plain = name.lowercased()
        let found = Self.allCases.first {
            [$0.rawValue.lowercased(), "__\($0.rawValue.lowercased())"].contains(plain)
        }
        guard let found else { return nil }
        self = found
    }
}
