/// An address of the contents of a file: `files/APP/SEAL/NAME`. The seal has the session for which
/// the link was made, or the user as whom clients without a session act, so that a link needs no
/// header and shows a file only to who may see it.
struct ParseFileLink: Hashable, Sendable {
    let applicationID: String
    let seal: String

    /// Nil if the request is another one.
    init?(_ call: ParseCall) {
        guard call.verb == .get, call.path.count == 4, call.path[0] == "files" else { return nil }
        applicationID = call.path[1]
        seal = call.path[2]
    }

    static let maxSealBytes = 1024
}

/// The content of a seal.
struct SealedFile: Codable, Hashable, Sendable {
    /// The hash of the session's token, in hex; nil for a link without a session.
    var session: String?
    /// The guest, or the user of the master key; nil for a link of a session.
    var user: String?
    /// The number of the environment; nil for a link of a session.
    var environment: Int64?
    let guid: String
}
