package import HTTPTypes

extension HTTPFields {
    /// The digest of the whole file, even in an upload of a part.
    package var reprDigest: String? {
        get { reprDigestName.flatMap { self[$0] } }
        set { if let reprDigestName { self[reprDigestName] = newValue } }
    }
}

private let reprDigestName = HTTPField.Name("Repr-Digest")
