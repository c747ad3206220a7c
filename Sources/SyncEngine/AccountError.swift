/// An error that prevented a change to a user.
package enum AccountError: Error, Hashable, Sendable {
    case loginIllegal(String)
    /// The address contains a control character, which could corrupt a list on a terminal.
    case mailIllegal(String)
    case exists(String)
    case unknown(String)
    case groupUnknown(String, known: [String])
    /// No valid code has this text or name, or it is for something else.
    case codeUnknown
    case tooManyCodes(max: Int)
    /// A number of uses or days; from 1.
    case numberOutOfRange(String, max: Int64)
    case store(StoreError)
}
