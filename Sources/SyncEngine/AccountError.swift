/// An error that prevented a change to a user.
package enum AccountError: Error, Hashable, Sendable {
    case loginIllegal(String)
    /// The address contains a control character, which could corrupt a list on a terminal.
    case mailIllegal(String)
    case exists(String)
    case unknown(String)
    case groupUnknown(String, known: [String])
    case store(StoreError)
}
